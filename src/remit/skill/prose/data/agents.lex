# What sentences tell the agent to do. Kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   make CAPABILITY [POINTS] : verbs : objects     the same, but the object is what the verb itself is done to
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb; `..` is up to three words
#   need CAPABILITY POINTS : phrase | phrase …     the same, in the singular, where a text lists what it needs
#   Words after a further colon speak against the rule: `do`, `make` later in the clause, `say` anywhere in the sentence.
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

class building = build building builds create creating generate generates generating scaffold develop developing implement implementing sdk project template generator
class delegate = subagent sub-agent ~agent task_tool agent_tool teammate worker_agent reviewer_agent analysis_agent review_agent scanning_agent validation_agent verification_agent verifier_agent exploration_agent planning_agent coding_agent explore_agent research_agent background_agent specialist_agent general-purpose_agent

make subagent.delegate : dispatch spawn launch delegate invoke use create run assign start fork : @delegate parallel_agent
make subagent.delegate : dispatch spawn launch fork : agent reviewer worker explorer verifier teammate critic specialist
do subagent.delegate : use run invoke : analysis_agent review_agent specialized_agent parallel_agent codex_cli claude_cli gemini_cli coding_agent
do subagent.delegate : delegate hand hand_off handoff dispatch fan_out : @delegate agent agents
say subagent.delegate 4 : task tool | ~agent | parallel agents | parallel subagents | parallel sub-agents | agents in parallel | subagents in parallel | via subagents | via subagent | one subagent per | one agent per
say subagent.delegate 4 : in its own subagent | fresh subagent | with subagents | using subagents | each subagent | per subagent | agents return | agents complete | all agents finish | spawn .. in parallel | separate agent for | one reviewer per | parallel reviewers
say subagent.delegate 2 : agent tool | subagent | subagents | sub-agent | sub-agents

do memory.write : remember record note jot jot_down save store add : future_query future_session future_pass future_run future_conversation next_session next_time later_session future_reference
say memory.write 4 : so you remember | remember it for | for next time | persist across sessions | kept across sessions | remembered across | save to your memory | update your memory
say memory.read 4 : in your memory | from your memory | from memory files | your past conversations | past lessons | lessons from previous | from previous sessions | from prior sessions | from past sessions
do memory.read : read check search recall load retrieve consult review query : agent_memory session_memory memory_file memory_files long-term_memory past_session past_sessions previous_session prior_session past_lesson past_lessons ~memory
say memory.read 4 : search memory | recall from memory | check memory for | memory search
do memory.write : save store write update append record log remember persist add : agent_memory session_memory memory_file memory_files long-term_memory session_note session_notes future_session future_sessions ~memory
make memory.write : save store record log remember persist : learning learnings lesson lessons
say memory.write 4 : save to memory | write to memory | update memory | append to memory | store to memory | remember for future | for future sessions | remember this for
say memory.write 2 : across sessions
do policy.expand : add configure edit update enable set connect register modify : mcp mcp_server mcp_servers mcp_config settings_json tool_permission tool_permissions agent_setting agent_settings agent_config agent_configuration allowlist permission_mode : build create generate implement develop
do policy.expand : add edit update configure set enable modify register write put append change : ~settings
do policy.expand : add paste put insert include : mcp_config mcp_configuration mcp_setting mcp_client_config claude_desktop_config client_configuration agent_setting
make skill.install : install import download : skill skills agent_skill agent_skills claude_plugin claude_code_plugin
say skill.install 3 : plugin marketplace
do skill.install : install copy symlink link clone place put move save : ~skills
make hook.install : install add register configure set enable : hook hooks pre-commit_hook git_hook
do hook.install : install add register configure set write put : ~hooks


make tool.invoke : use call invoke query run ask check : mcp mcps mcp_tool mcp_server ~tool connector appropriate_integration available_integration
do tool.invoke : connect fetch pull gather retrieve search read : mcp mcp_tool connector connected_source connected_app connected_tool
say tool.invoke 4 : mcp tool | mcp tools | ~tool | mcp call | mcp calls | via mcp | through mcp | using mcp | using an mcp | connected using mcp | connected sources | mcp connector | native tool | platform's tool
say tool.invoke 4 : mcp server configured | mcp server connected | mcp server available | integrations are available
need tool.invoke : mcp server | mcp | mcp connection | connector : @building
say tool.invoke 3 : mcp server | mcp servers | mcp integration : @building
say tool.invoke 1 : mcp | mcps | connectors : @building
say tool.invoke 4 : from connected sources | from connected apps | from connected tools | mcp tools are available | mcp tools if available | if the .. mcp is available | when the .. mcp is available
say tool.invoke 4 : todowrite | taskcreate | askuserquestion | if your host provides | if the host provides | if your platform provides | if your platform has | tool if available
