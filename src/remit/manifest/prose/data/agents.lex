# What sentences tell the agent to do. Kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   make CAPABILITY [POINTS] : verbs : objects     the same, but the object is what the verb itself is done to
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

class delegate = subagent sub-agent ~agent task_tool agent_tool teammate worker_agent reviewer_agent explore_agent research_agent background_agent specialist_agent general-purpose_agent

make subagent.delegate : dispatch spawn launch delegate invoke use create run assign start deploy fork fan : @delegate parallel_agent
make subagent.delegate : dispatch spawn launch deploy : agent agents
do subagent.delegate : delegate hand hand_off handoff dispatch fan_out : @delegate agent agents
say subagent.delegate 4 : task tool | agent tool | ~agent | parallel agents | parallel subagents | parallel sub-agents | agents in parallel | subagents in parallel | via subagents | via subagent | one subagent per | one agent per
say subagent.delegate 2 : subagent | subagents | sub-agent | sub-agents

do memory.read : read check search recall load retrieve consult : memory memories past_session session_memory
do memory.write : save store write update append record log remember persist : memory memories memory_file session_note learning lesson
do policy.expand : add configure edit update enable set connect register modify : mcp mcp_server mcp_config settings_json permission agent_setting allowlist
do policy.expand : add edit update configure set enable modify register write put append change : ~settings
make skill.install : install import download : skill skills plugin plugins
do skill.install : install copy symlink link clone place put move save : ~skills
make hook.install : install add register configure set enable : hook hooks pre-commit_hook git_hook
do hook.install : install add register configure set write put : ~hooks

do context.load : read load see consult follow use open check refer review study copy reference start apply include look_at : ~bundled template reference reference_file reference_guide references
do context.load : use invoke load run follow call apply see activate trigger hand : skill sub-skill skills
say context.load 4 : required sub-skill | required background | read references | see references

make tool.invoke : use call invoke query run ask check : mcp mcps mcp_tool mcp_server ~tool connector integration
do tool.invoke : connect fetch pull gather retrieve search read : mcp mcp_tool connector integration connected_source connected_app connected_tool
say tool.invoke 4 : mcp tool | mcp tools | ~tool | mcp call | mcp calls | via mcp | through mcp | using mcp | using an mcp | connected using mcp | connected sources | mcp integration | mcp connector | native tool | platform's tool
say tool.invoke 4 : mcp server configured | mcp server connected | mcp server available | mcp server is | connect ~tool
say tool.invoke 3 : mcp server | mcp servers
say tool.invoke 1 : mcp | mcps | connectors
