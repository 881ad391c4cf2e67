# Agents, their tools and their skills.

[claude, codex, gemini, aider, opencode, goose, amp, cursor-agent, agent, copilot, droid, kiro, kiro-cli, crush, qwen, llm, sgpt, aichat, mods, fabric, cline, continue, augment, auggie, oracle, summarize, kimi, grok, npx/@anthropic-ai/claude-code, npx/@openai/codex, npx/@google/gemini-cli]
mark exact
else subagent.delegate(PROGRAM)
-v
--version -h --help
--functions --load CODE : opaque 'the agent runs code that an option names' if PROGRAM~'llm|aider'
--test-cmd --lint-cmd --notifications-command COMMAND : sh(COMMAND)
--enable --disable FEATURE : policy.expand(PROGRAM)
--mcp-config FILE : file.read(FILE), policy.expand(PROGRAM)
args WORD... : subagent.delegate(PROGRAM)
do subagent.delegate(PROGRAM) if not -v and not --version and not --enable, subagent.delegate(PROGRAM) if PROGRAM=='aider' and not --version
out <model>

[claude mcp, claude features, claude permissions]
else field(OPTION, VALUE)
args WORD...
do policy.expand(PROGRAM)
out any

[claude mcp list, claude mcp get, claude features list]
else field(OPTION, VALUE)
args WORD...
do tool.invoke(PROGRAM)
out any

[claude mcp login, claude mcp logout, claude login, claude logout, claude auth, claude setup-token, claude keys, claude auth login, claude signin]
else field(OPTION, VALUE)
args WORD...
do secret.write(PROGRAM), api.call()
out any

[claude plugin, claude plugins, claude extensions, claude extension, claude skills, claude skill]
else field(OPTION, VALUE)
args WORD...
do skill.install(), web.fetch()
out any

# What a person types in the agent's window.
[/plugin]
do skill.install(), web.fetch()
out any

[claude plugins install, claude plugins add, claude plugins update, claude plugins uninstall, claude plugins remove, claude plugins enable, claude plugins disable, claude extensions install, claude extensions update, claude extensions uninstall, claude extensions enable, claude extensions disable, claude extensions link, claude skills install, claude skills add, claude skill install, claude skill add, claude plugin install, claude plugin add, claude plugin update, claude plugin i, claude plugin uninstall, claude plugin remove, claude plugin enable, claude plugin disable, claude plugin link, /plugin install, /plugin add, /plugin update, /plugin uninstall, /plugin enable]
else field(OPTION, VALUE)
args WORD... : skill.install(WORD)
do web.fetch()
out any

[claude plugin marketplace, /plugin marketplace]
else field(OPTION, VALUE)
args WORD...
do skill.install(), web.fetch()
out any

[claude plugin list, claude plugin validate, /plugin list, /plugin validate]
else field(OPTION, VALUE)
args WORD... : file.read(tree(WORD))
out any

[claude config]
else field(OPTION, VALUE)
args WORD...
do policy.expand(PROGRAM)
out any

[claude update, claude upgrade, claude install]
else field(OPTION, VALUE)
args WORD...
do package.install(PROGRAM)
out any

[skills, npx/skills, clawhub, clawdhub, npx/clawhub, npx/clawdhub, npx/add-skill, npx/openskills, npx/@smithery/cli, smithery, npx/ai-agent-skills, npx/skills-installer, npx/playbooks, skillhub]
flags --cli-version -v --version -h --help
values --workdir --dir
--registry --site ADDRESS_ : web.fetch(ADDRESS_)
out any

[skills add, skills install, skills update, skills i, skills sync, skills upgrade, skills init]
else field(OPTION, VALUE)
args WORD... : skill.install(WORD)
do skill.install() if not WORD, web.fetch(vendor(PROGRAM))

[skills remove, skills uninstall, skills rm, skills delete]
else field(OPTION, VALUE)
args WORD... : skill.install(WORD)

[skills publish, skills share, skills undelete]
else field(OPTION, VALUE)
args DIR WORD... : publish(DIR), file.read(tree(DIR))

[skills login, skills logout, skills auth]
else field(OPTION, VALUE)
args WORD...
do secret.write(PROGRAM), api.call(vendor(PROGRAM))
out any

[skills whoami, skills star, skills unstar]
else field(OPTION, VALUE)
args WORD...
do api.call(vendor(PROGRAM))
out any

[skills search, skills list, skills ls, skills info, skills explore, skills find, skills inspect, skills show, skills check, skills help, skills view, skills read, skills outdated]
else field(OPTION, VALUE)
args WORD...
do web.fetch(vendor(PROGRAM))
out <net>

[openclaw, clawdbot, moltbot, nanobot, lobster, nemoclaw, hermes, npx/openclaw, npx/clawdbot]
else field(OPTION, VALUE)
--version -V
args WORD... : tool.invoke(PROGRAM)
do tool.invoke(PROGRAM) if not --version
out any

[openclaw skills, openclaw plugins, openclaw skill, openclaw plugin]
else field(OPTION, VALUE)
args WORD...
do skill.install(), web.fetch()
out any

[openclaw skills install, openclaw skills update, openclaw skills add, openclaw skill install, openclaw skill add, openclaw plugins install, openclaw plugins update, openclaw plugin install]
else field(OPTION, VALUE)
args WORD... : skill.install(WORD)
do web.fetch()
out any

[openclaw skills list, openclaw skills info, openclaw skills check, openclaw skills search, openclaw plugins list, openclaw plugins info]
else field(OPTION, VALUE)
args WORD...
do tool.invoke(PROGRAM)
out any

[openclaw plugins enable, openclaw plugins disable, openclaw plugin enable, openclaw config, openclaw configure, openclaw onboard, openclaw setup, openclaw approvals, openclaw pairing, openclaw devices, openclaw security, openclaw sandbox, openclaw policy, openclaw tools, openclaw mcp]
else field(OPTION, VALUE)
args WORD...
do policy.expand(PROGRAM)
out any

[openclaw config get, openclaw config list, openclaw config show, openclaw config path, openclaw mcp list]
else field(OPTION, VALUE)
args WORD...
do file.read(any)
out any

[openclaw hooks]
else field(OPTION, VALUE)
args WORD...
do hook.install(PROGRAM)
out any

[openclaw cron]
else field(OPTION, VALUE)
args WORD...
do schedule.create(union(under('~/.openclaw/cron'), under('~/.clawdbot/cron')))
out any

[openclaw cron list, openclaw cron ls, openclaw cron status, openclaw cron runs, openclaw cron show]
else field(OPTION, VALUE)
args WORD...
do schedule.read(union(under('~/.openclaw/cron'), under('~/.clawdbot/cron')))
out any

[openclaw cron rm, openclaw cron remove, openclaw cron delete, openclaw cron disable]
else field(OPTION, VALUE)
args WORD...
do schedule.delete(union(under('~/.openclaw/cron'), under('~/.clawdbot/cron')))
out any

[openclaw message]
--media --file FILE : file.read(FILE)
else field(OPTION, VALUE)
args WORD...
do message.send()
out any

[openclaw agent, openclaw agents]
else field(OPTION, VALUE)
args WORD...
do subagent.delegate(PROGRAM)
out <model>

[openclaw memory]
else field(OPTION, VALUE)
args WORD...
do memory.read(), memory.write()
out any

[openclaw memory search, openclaw memory list, openclaw memory get, openclaw memory status]
else field(OPTION, VALUE)
args WORD...
do memory.read()
out any

[openclaw browser]
else workfiles(VALUE, OPERANDS)
args WORD...
do tool.invoke(PROGRAM), web.interact(), workfiles(WORD)
out <net>

[openclaw gateway, openclaw daemon, openclaw service]
else field(OPTION, VALUE)
args WORD...
do system.configure('services'), net.listen()
out any

[openclaw gateway status, openclaw gateway health, openclaw gateway probe, openclaw gateway call, openclaw status, openclaw health, openclaw logs, openclaw doctor]
--fix --repair --force : policy.expand(PROGRAM)
else field(OPTION, VALUE)
args WORD...
do tool.invoke(PROGRAM), net.connect('127.0.0.1')
out any

[openclaw login, openclaw auth, openclaw models auth, openclaw channels login]
else field(OPTION, VALUE)
args WORD...
do secret.write(PROGRAM), api.call()
out any

[openclaw models, openclaw channels]
else field(OPTION, VALUE)
args WORD...
do policy.expand(PROGRAM), secret.write(PROGRAM)
out any

[openclaw models list, openclaw models status, openclaw channels list, openclaw channels status]
else field(OPTION, VALUE)
args WORD...
do tool.invoke(PROGRAM)
out any

[mcporter run, mcporter dev]
values -t --transport --host -p --port --with -e --with-editable --python
args SCRIPT WORD... : tool.invoke(SCRIPT), script('python', SCRIPT) if SCRIPT~'.*[.]py', opaque 'a tool server is started' if not SCRIPT~'.*[.]py'

[mcporter install, mcporter config, mcporter daemon]
else field(OPTION, VALUE)
args WORD...
do policy.expand(PROGRAM), file.read(any)

[mcporter, npx/mcporter, mcp, mcp-cli, fastmcp]
--stdio COMMAND : sh(COMMAND)
--config CONFIG : file.read(CONFIG)
--http-url --sse-url URL : net.connect(URL)
else field(OPTION, VALUE)
args VERB TOOL WORD... : tool.invoke(VERB), tool.invoke(but(TOOL, '[^(]+[(].*')), tool.invoke(before(TOOL, '(')),
 tool.invoke(but(WORD, '[^(]*[ \n"={(].*')), tool.invoke(before(but(WORD, '[^(]*[ \n"={].*'), '('))
do tool.invoke() if not VERB
out <net>

[google-chrome, google-chrome-stable, chromium, chromium-browser, chrome, google-chrome-beta, msedge, microsoft-edge, brave, brave-browser, headless_shell, chrome-headless-shell]
style long
mark exact
flags --disable-gpu --no-sandbox --hide-scrollbars --incognito --new-window --no-first-run --no-default-browser-check --disable-extensions --disable-dev-shm-usage --mute-audio --start-maximized --kiosk --disable-software-rasterizer --no-pdf-header-footer
 --print-to-pdf-no-header --run-all-compositor-stages-before-draw --ignore-certificate-errors --disable-notifications --disable-infobars --disable-background-networking --disable-sync --disable-translate --enable-logging --allow-file-access-from-files --disable-web-security --version --dump-dom
 --disable-setuid-sandbox --single-process --no-zygote --generate-pdf-document-outline --export-tagged-pdf --disable-crash-reporter --guest
optional --headless --window-size --virtual-time-budget --timeout --force-device-scale-factor --user-agent --lang --window-position --profile-directory --default-background-color --disable-features --enable-features --blink-settings --log-level --v --password-store --host-resolver-rules --disable-blink-features --enable-blink-features --use-gl --force-color-profile
--screenshot OUT? : file.write(OUT), file.write('screenshot.png') if not OUT
--print-to-pdf OUT_? : file.write(OUT_), file.write('output.pdf') if not OUT_
--user-data-dir --disk-cache-dir --crash-dumps-dir DIR? : file.write(tree(DIR))
--app URL_? : opentarget(URL_)
--remote-debugging-port PORT? : net.listen('127.0.0.1')
--remote-debugging-address ADDRESS? : net.listen(ADDRESS)
--proxy-server --proxy-pac-url PROXY? : net.connect(PROXY)
--load-extension --disable-extensions-except EXTENSION? : opaque 'a browser loads an extension'
args URL... : opentarget(URL)
out <net>

[agent-browser, npx/agent-browser, stagehand, browser-use, browse, puppeteer, npx/playwright-cli, playwright-cli]
mark exact
--screenshot --print-to-pdf OUT? : file.write(OUT), file.write('screenshot.png')
--load-extension --extension --executable-path --init-script --browser-path EXTENSION : opaque 'a browser loads an extension or is another program'
else workfiles(VALUE, OPERANDS)
args WORD...
do web.interact(), workfiles(WORD)
out <net>

[infsh login, infsh logout, infsh auth]
use login

[firefox, safari]
style long
flags -headless --headless -new-tab -new-window -private -private-window --private-window --new-tab --new-window -no-remote --no-remote -new-instance --kiosk -kiosk -safe-mode
values -P -width -height --window-size --remote-debugging-port
--screenshot -screenshot OUT? : file.write(OUT), file.write('screenshot.png')
-profile --profile PROFILE : file.read(tree(PROFILE)), file.write(tree(PROFILE)), opaque 'settings and extensions of a browser stand in a folder'
args WORD... : file.write(only(WORD, '.*[.](png|pdf)'))
do web.interact(), file.write(any), file.read(any)
out <net>

[infsh, inference, fal, hf-jobs, elevenlabs, sag, qmd, exa-cli, tavily, firecrawl, perplexity, jina, serpapi, brave-search, ddgr, googler, trafilatura, newspaper, gget, edirect, pltr, attio, onchain, genlayer, ccsinfo, atvremote, yr, holohub, trtexec, nvidia-container-cli, dcgmi, cuobjdump, nvdisasm]
--api-url --api-base --base-url --endpoint --endpoint-url --server ADDRESS_ : net.connect(ADDRESS_)
--plugins --dynamicPlugins --staticPlugins --serverPlugins --compute-runner LIBRARY : opaque 'the tool loads a library' if PROGRAM=='trtexec'
else workfiles(VALUE, OPERANDS)
args WORD...
env FIRECRAWL_API_URL ELEVENLABS_BASE_URL : net.connect(VALUE)
do net.connect(vendor(PROGRAM)), workfiles(WORD)
out any
