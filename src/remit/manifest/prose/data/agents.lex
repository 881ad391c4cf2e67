# What sentences tell the agent to do. Two kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

do subagent.delegate : dispatch spawn delegate launch invoke use create run send assign start hand : subagent sub-agent agent teammate task_tool agent_tool worker_agent reviewer_agent parallel_agent
do memory.read : read check search recall load retrieve consult : memory memories past_session session_memory
do memory.write : save store write update append record log remember persist : memory memories memory_file session_note learning lesson
do policy.expand : add configure edit update enable set connect register modify : mcp mcp_server mcp_config settings_json permission agent_setting allowlist
do skill.install : install add import copy download : skill skills plugin
do hook.install : install add register configure set : hook hooks pre-commit_hook git_hook
do context.load : read load see consult follow use open check refer review study copy reference start apply include look_at : ~bundled template reference reference_file reference_guide references
do context.load : use invoke load run follow call apply see activate trigger hand : skill sub-skill skills
do tool.invoke : use call invoke query run ask : mcp mcp_tool mcp_server ~tool connector askuserquestion todowrite
say tool.invoke 4 : mcp server | mcp tool | mcp tools | ~tool | mcp call | via mcp | askuserquestion | todowrite | request_user_input | update_plan
say subagent.delegate 4 : task tool | agent tool | subagent_type | in parallel subagents | dispatch subagents
say subagent.delegate 2 : subagent | subagents | sub-agent | sub-agents
say context.load 4 : required sub-skill | required background | read references | see references
