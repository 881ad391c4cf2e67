// Stands for the package axios, over the real http module.
const http = require('http');
const https = require('https');

function isPlain(data) {
  return data && typeof data === 'object' && !Buffer.isBuffer(data) && typeof data.pipe !== 'function';
}

function send(config) {
  return new Promise((resolve, reject) => {
    const url = new URL(config.url, config.baseURL);
    for (const [key, value] of Object.entries(config.params || {})) url.searchParams.set(key, value);
    const headers = { ...(config.headers || {}) };
    let { data } = config;
    if (data instanceof URLSearchParams) {
      data = data.toString();
      headers['Content-Type'] = 'application/x-www-form-urlencoded';
    } else if (isPlain(data)) {
      data = JSON.stringify(data);
      headers['Content-Type'] = headers['Content-Type'] || 'application/json';
    }
    if (config.auth) {
      const pair = `${config.auth.username}:${config.auth.password}`;
      headers.Authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
    const method = (config.method || 'get').toUpperCase();
    const request = (url.protocol === 'https:' ? https : http).request(url, { method, headers }, (message) => {
      const chunks = [];
      message.on('data', (chunk) => chunks.push(chunk));
      message.on('end', () => {
        let body = Buffer.concat(chunks);
        if (config.responseType !== 'arraybuffer') {
          body = body.toString();
          try { body = JSON.parse(body); } catch { /* a text */ }
        }
        const response = { status: message.statusCode, headers: message.headers, data: body, config };
        if (message.statusCode < 400) return resolve(response);
        const error = new Error(`Request failed with status code ${message.statusCode}`);
        return reject(Object.assign(error, { response, config }));
      });
    });
    request.on('error', reject);
    if (data && typeof data.pipe === 'function') data.pipe(request);
    else request.end(data);
  });
}

function create(defaults) {
  const before = [];
  const client = async (first, second) => {
    const own = typeof first === 'string' ? { ...(second || {}), url: first } : first;
    let config = { ...defaults, ...own, headers: { ...(defaults.headers || {}), ...(own.headers || {}) } };
    for (const change of before) config = await change(config);
    return send(config);
  };
  client.request = client;
  for (const method of ['get', 'delete', 'head']) client[method] = (url, more) => client({ ...(more || {}), url, method });
  for (const method of ['post', 'put', 'patch']) client[method] = (url, data, more) => client({ ...(more || {}), url, data, method });
  client.interceptors = { request: { use: (change) => before.push(change) }, response: { use() {} } };
  client.defaults = defaults;
  client.create = (more) => create({ ...defaults, ...more });
  return client;
}

module.exports = create({ headers: {} });
module.exports.default = module.exports;
