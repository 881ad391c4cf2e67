# What sentences tell the agent to do. Three kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   make CAPABILITY [POINTS] : verbs : objects     the same, but the object follows at once: nothing behind a preposition counts
#                         [: words]               none of which may stand later in the clause: they speak against it
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.
do file.read : read open load parse import inspect view examine review ingest extract analyze analyse summarize summarise convert transcribe ocr process check validate compare profile explore : @file @document @config data plan spec specification requirement draft document_content text_from
do file.write : write create save generate produce export output store draft record compile render append log update edit fill document prepare deliver convert merge split resize crop compress annotate : @file @document plan spec design_doc summary_file note changelog output result finding todo task_list checklist documentation readme artifact
do file.delete : delete remove erase purge clean_up wipe trash unlink discard : file folder directory temp temporary_file worktree cache artifact old_version ~data ~folder
say file.write 2 : saved to | written to | save to | write to ~data | output to ~data | to ~data
