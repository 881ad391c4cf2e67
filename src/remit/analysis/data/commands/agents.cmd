# Agents, their tools and their skills.

[claude, codex, gemini, aider, opencode, goose, amp, cursor-agent, copilot, droid, kiro, crush, qwen, llm, sgpt, aichat, mods, fabric, cline, continue, augment, oracle, summarize, kimi, grok]
mark exact
else pure
-v --version -h --help
args WORD... : subagent.delegate(PROGRAM)
do subagent.delegate(PROGRAM) if not -v
out <model>

[claude mcp, codex mcp, gemini mcp]
else pure
args WORD...
do policy.expand()
out any

[claude plugin, claude plugins, gemini extensions, codex plugin]
else pure
args WORD... : skill.install(WORD)
out any

[claude config, codex login, claude login, claude setup-token, gemini config]
else pure
args WORD...
do policy.expand()
out any

[skills, npx/skills, clawhub, clawdhub, npx/clawhub, npx/clawdhub, npx/add-skill, npx/openskills, npx/@smithery/cli, smithery, npx/ai-agent-skills, npx/skills-installer, npx/playbooks, skillhub]
flags --cli-version -v --version -h --help
values --registry --workdir --dir --site
out any

[skills add, skills install, skills update, skills i, skills sync, skills upgrade, skills init]
else pure
args WORD... : skill.install(WORD)
do skill.install() if not WORD, web.fetch()

[skills remove, skills uninstall, skills rm, skills delete]
else pure
args WORD... : skill.install(WORD)

[skills publish, skills share, skills undelete]
else pure
args DIR WORD... : publish(DIR), file.read(tree(DIR))

[skills login, skills logout, skills whoami, skills auth, skills star, skills unstar]
else pure
args WORD...
do api.call()
out any

[skills search, skills list, skills ls, skills info, skills explore, skills find, skills inspect, skills show, skills check, skills help, skills view, skills read, skills outdated]
else pure
args WORD...
do web.fetch()
out <net>

[openclaw, clawdbot, moltbot, nanobot, lobster, nemoclaw, hermes]
else pure
--version -V
args WORD...
do tool.invoke(PROGRAM) if not --version
out any

[mcporter, npx/mcporter, mcp, mcp-cli, fastmcp]
--stdio COMMAND : sh(COMMAND)
--config CONFIG : file.read(CONFIG)
--http-url --sse-url URL : net.connect(URL)
else pure
args WORD... : tool.invoke(WORD)
do tool.invoke() if not WORD
out <net>

[google-chrome, google-chrome-stable, chromium, chromium-browser, chrome, google-chrome-beta, msedge, microsoft-edge, brave, brave-browser, headless_shell, chrome-headless-shell]
style long
mark exact
flags --disable-gpu --no-sandbox --hide-scrollbars --incognito --new-window --no-first-run --no-default-browser-check --disable-extensions --disable-dev-shm-usage --mute-audio --start-maximized --kiosk --disable-software-rasterizer --no-pdf-header-footer
 --print-to-pdf-no-header --run-all-compositor-stages-before-draw --ignore-certificate-errors --disable-notifications --disable-infobars --disable-background-networking --disable-sync --disable-translate --enable-logging --allow-file-access-from-files --disable-web-security --version --dump-dom
 --disable-setuid-sandbox --single-process --no-zygote --generate-pdf-document-outline --export-tagged-pdf --disable-crash-reporter --guest
optional --headless --window-size --virtual-time-budget --timeout --force-device-scale-factor --user-agent --lang --window-position --profile-directory --default-background-color --disable-features --enable-features --blink-settings --app --log-level --v --password-store --host-resolver-rules --disable-blink-features --enable-blink-features --use-gl --force-color-profile
--screenshot OUT? : file.write(OUT), file.write('screenshot.png') if not OUT
--print-to-pdf OUT_? : file.write(OUT_), file.write('output.pdf') if not OUT_
--user-data-dir --disk-cache-dir --crash-dumps-dir DIR? : file.write(tree(DIR))
--remote-debugging-port --remote-debugging-address PORT? : net.listen('127.0.0.1')
--proxy-server --proxy-pac-url PROXY? : net.connect(PROXY)
--load-extension --disable-extensions-except EXTENSION? : opaque 'a browser loads an extension'
args URL... : opentarget(URL)
out <net>

[agent-browser, npx/agent-browser, stagehand, browser-use, browse, puppeteer, firefox, safari, npx/playwright-cli, playwright-cli]
mark exact
--screenshot --print-to-pdf OUT? : file.write(OUT), file.write('screenshot.png')
--load-extension EXTENSION : opaque 'a browser loads an extension'
else pure
args WORD...
do web.interact(), file.write(any), file.read(any)
out <net>

[infsh, inference, fal, hf-jobs, elevenlabs, sag, qmd, exa-cli, tavily, firecrawl, perplexity, jina, serpapi, brave-search, ddgr, googler, trafilatura, newspaper, gget, edirect, pltr, attio, onchain, genlayer, ccsinfo, atvremote, yr, holohub, iqtree2, iqtree3, FastTree, FastTreeMP, fasttree, trtexec, nvidia-container-cli, dcgmi, cuobjdump, nvdisasm]
else pure
args WORD...
do net.connect(), file.read(any), file.write(any)
out any
