# What sentences tell the agent to do. Two kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

do package.install : install add upgrade : package dependency dependencies library module pip npm npx sdk cli extension nuget gem crate
do commit.create : commit rebase merge squash cherry-pick tag stash amend create make : commit branch change worktree tag merge_commit git_branch feature_branch
do commit.push : push : branch change commit remote origin tag upstream
do commit.push : open create submit raise file : pull_request pr merge_request
do commit.read : review read inspect check look_at examine view compare analyze see run : git_log git_diff git_history git_status git_blame commit_history recent_commit commit diff blame history staged_change
do message.send : send post email notify reply message deliver : email mail message slack slack_message notification telegram discord sms chat whatsapp thread dm
do publish : publish deploy release ship post upload : package npm pypi production site website app release blog marketplace registry vercel post tweet thread app_store public
do db.read : query select inspect read run explore : database table row postgres postgresql sqlite mysql bigquery snowflake mongodb warehouse
do db.write : insert update upsert delete write store save : row record database table
do schema.mutate : create alter drop migrate apply run : table column index schema database_migration
do container.run : run start launch spin execute : container docker_container docker docker_image
do container.manage : build stop remove push pull tag prune restart : container docker_image docker image docker_compose
do process.kill : kill stop terminate : process server pid daemon background_process
do process.query : list check inspect monitor find : process running_process pid port_in_use cpu_usage
do schedule.create : schedule create add set configure : cron cron_job scheduled_task launchd heartbeat reminder crontab
do system.configure : configure restart enable start stop reload mount set : service systemd firewall kernel driver network_setting sysctl daemon
do screen.capture : take capture : desktop_screenshot screen
do clipboard.write : copy : clipboard
do clipboard.read : read paste : clipboard
say package.install 2 : pip install | npm install | requires pip
