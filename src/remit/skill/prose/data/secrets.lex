# What sentences tell the agent to do with secrets and the environment. The form of the lines: see files.lex.
#
# `token` and `secret` alone are no objects: language models count tokens, parsers read them, and code is searched for secrets.

class key = api_key apikey api_token access_token auth_token bearer_token oauth_token refresh_token session_token bot_token personal_access_token github_token authentication_token private_key service_account_key app_password api_credential connection_string client_secret ~secret ~apikey
class login = credential password passphrase secret_key account_credential cookie session_cookie keychain

do secret.read : use provide need require get obtain supply pass load read include retrieve fetch paste find : @key
do secret.read 3 : set configure export : @key
do secret.read 3 : use provide need require load read retrieve look_up : @login
say secret.read 4 : ~secret | ~apikey | api key required | your api key | requires an api key | requires api key | bearer token | app password | authorization header | x-api-key
say secret.read 2 : oauth credentials | oauth tokens | oauth token | stored credentials | saved credentials | your credentials | api token | access token | service account
do secret.write : save store persist create generate rotate register : @key token
do secret.write : save store persist create generate rotate register change : @login
do secret.write 3 : set configure export add : @key
say secret.write 4 : log in to | log in with | log in using | log into | sign in to | sign in with | sign into : user users
do secret.write : login authenticate re-authenticate : oauth cli account browser_flow ~command
do secret.write 3 : put add write configure set_up update replace enter : credential
say secret.write 4 : session will be saved | session is saved | token is saved | tokens are saved | saves the token | stores the token | token is stored | tokens are stored | credentials are saved | credentials are stored | save tokens | cache the token | caches the token : never
say secret.write 4 : login with | ssh-keygen | device code flow | device-code flow | ssh key generation | generate ssh keys

# What a text lists among its needs. `no account needed` is negated.
class credential = api_key apikey api_token access_token auth_token bearer_token bot_token personal_access_token access_key secret_key client_secret credential password app_password private_key service_account ssh_key oauth_token oauth_credential license_key connection_string session_cookie ~secret ~apikey
need secret.read : @credential : check
need env.read : environment variable | env var | env variable | ~secret | ~apikey

do secret.delete : delete remove revoke purge : @key @login stored_token secret token
do env.write : set export configure : environment_variable env_var env_variable ~variable ~secret ~apikey
do env.read : read check verify get load require need inspect : environment_variable env_var env_variable
do env.read 2 : use : environment_variable env_var env_variable
do env.read 2 : read check get load require need : ~variable
say env.read 4 : ~secret | ~apikey | from the environment | from environment variables | via environment variables | via environment variable | via env var
