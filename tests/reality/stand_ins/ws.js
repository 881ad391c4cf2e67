// Stands for the package ws: a client that sends and gets short messages.
const crypto = require('crypto');
const http = require('http');
const { EventEmitter } = require('events');

class WebSocket extends EventEmitter {
  constructor(url) {
    super();
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': crypto.randomBytes(16).toString('base64'),
    };
    const request = http.request(new URL(url.replace(/^ws/, 'http')), { headers });
    request.on('upgrade', (response, socket) => {
      this.socket = socket;
      socket.on('data', (data) => ((data[0] & 15) === 8 ? socket.end() : this.emit('message', data.subarray(2))));
      socket.on('close', () => this.emit('close'));
      this.emit('open');
    });
    request.on('error', (error) => this.emit('error', error));
    request.end();
  }

  frame(kind, text) {
    const data = Buffer.from(text);
    const mask = crypto.randomBytes(4);
    let head = Buffer.from([0x80 | kind, 0x80 | data.length]);
    if (data.length > 125) {
      head = Buffer.from([0x80 | kind, 0x80 | 126, 0, 0]);
      head.writeUInt16BE(data.length, 2);
    }
    for (let at = 0; at < data.length; at += 1) data[at] ^= mask[at % 4];
    this.socket.write(Buffer.concat([head, mask, data]));
  }

  send(data, done) {
    this.frame(typeof data === 'string' ? 1 : 2, data);
    if (done) setImmediate(done);
  }

  close() {
    this.frame(8, Buffer.from([3, 232]));
  }
}

module.exports = WebSocket;
module.exports.WebSocket = WebSocket;
