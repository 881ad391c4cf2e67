# What sentences tell the agent to do. Kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   make CAPABILITY [POINTS] : verbs : objects     the same, but the object is what the verb itself is done to
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb; `..` is up to three words
#   need CAPABILITY POINTS : phrase | phrase …     the same, in the singular, where a text lists what it needs
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

make package.install : install reinstall upgrade : package dependency dependencies library module pip npm sdk cli extension plugin nuget gem crate requirement requirements prerequisite prerequisites tool tools binary toolkit tooling
make package.install : add : dependency npm_package nuget_package python_package maven_dependency package_dependency
make package.install : install : it them
say package.install 4 : install ~code | requires pip install | requires npm install | auto-install | auto-installs
say package.install 2 : pip install | npm install | brew install | install with ~command | install via ~command

make commit.create : commit : code document design plan spec specification report migration lockfile test change changes work fix fixes file files result results update updates ~data ~source skill it everything
make commit.create : create make add cut : commit commits branch branches git_branch feature_branch release_branch worktree worktrees git_worktree git_tag git_commit merge_commit atomic_commit
make commit.create : rebase squash amend cherry-pick stash revert : commit commits branch change changes
say commit.create 4 : commit to git | commit and push
do commit.push : push : branch branches change changes commit commits remote origin fork upstream github
make commit.push : open create submit raise file : pull_request pull_requests pr prs merge_request draft_pr draft_pull_request
make commit.read : review read inspect check examine view compare analyze see run get use look_at : git_log git_diff git_history git_status git_blame commit_history recent_commit recent_commits commits diff diffs vcs_diff blame staged_change staged_changes uncommitted_change uncommitted_changes git_changes
say commit.read 4 : git diff | git log | git blame | git history | recent commits | commit history | vcs diff
say commit.read 2 : git status


make db.read 3 : query inspect explore : database databases postgres postgresql sqlite mysql bigquery snowflake mongodb warehouse data_warehouse
do db.read : run execute issue write : sql_query select_query sql
make db.read : query : table tables schema rows database_table
say db.read 3 : sql queries against | query the database | queries the database | run sql | read-only queries
make db.write : insert upsert : row rows record records
do container.run : run start launch spin execute : container containers docker_container docker docker_image
need container.run : docker | docker compose | container runtime | nvidia-container-toolkit | podman : optional optionally
say container.run 4 : inside the container | inside the .. container | in a container | in the container | in a docker container | inside docker | via docker compose | with docker compose | using docker compose : build building write
make container.manage : build stop remove push pull tag prune restart : container containers docker_image container_image docker_container docker_compose
make process.kill : kill terminate : process processes pid daemon background_process dev_server server
make process.query : list check inspect monitor find : process processes running_process running_processes pid
do schedule.create : schedule create add set configure register install : cron cron_job cronjob scheduled_task launchd heartbeat crontab cron_schedule ~schedule
do schedule.delete : remove delete cancel unschedule : cron cron_job cronjob scheduled_task reminder_job crontab ~schedule
do schedule.read : list check show : cron cron_job cronjob scheduled_task crontab ~schedule
make system.configure : configure restart enable disable start stop reload mount load : systemd systemd_service system_service firewall kernel kernel_module driver network_setting network_settings sysctl daemon system_setting system_settings power_mode
make system.configure : reboot power_cycle shut_down power_off : machine host system device node computer board target vm
say system.configure 4 : kernel parameters | power cycle the | reboot the machine | reboot the host | reboot the device | sysctl settings : review audit check
make profile.write : add append put write edit update modify : ~profile
do profile.write : add append put write edit update modify set persist : ~profile shell_profile shell_rc bashrc zshrc
make screen.capture : take capture grab : desktop_screenshot screen desktop
do clipboard.write : copy : clipboard
do clipboard.read : read paste : clipboard
say clipboard.write 4 : copy to clipboard | to the clipboard
make microphone.record : record capture : microphone mic
say microphone.record 4 : from the microphone | microphone input
make camera.capture : capture take : webcam camera camera_image
