# What sentences tell the agent to do. Four kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   make CAPABILITY [POINTS] : verbs : objects     the same, but the object follows at once: nothing behind a preposition counts
#   put CAPABILITY [POINTS] : verbs : objects      the same as `do`, but nothing counts that the words say it comes from
#                         [: words]               none of which may stand later in the clause: they speak against it
#                                                  `pdf_*` is `pdf`, even as part of a longer noun
#   none first_last first_last …                   pairs of words that are not what their last word says
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

none rule_file guideline_file guidance_file source_file code_file changed_file skill_file test_file class_file component_file workflow_file instruction_file barrel_file header_file key_file reference_file that_file policy_file relevant_file
none log_level log_entry log_line log_message image_tag docker_image container_image base_image disk_image vm_image file_system
none feature_document code_plan savings_plan payment_plan pricing_plan subscription_plan execution_plan query_plan design_plan
none video_call image_model image_generation status_report bug_report error_report data_type data_model data_structure

# `medium`: what is a file wherever it is spoken of. `paper`: what may as well be an answer in the conversation. `record`:
# what machines leave behind.
class medium = pdf pdf_* docx docx_* pptx pptx_* xlsx xlsx_* csv csv_* tsv png_* svg_* jpg_* gif_* excel_* powerpoint_* word_doc spreadsheet workbook worksheet image picture photo screenshot video audio audio_file recording gif svg png jpg jpeg mp3 mp4 wav zip dataset data_file logfile log_file powerpoint presentation slide_deck pptx_file word_document json_file yaml_file csv_file markdown_file text_file pdf_file html_file config_file configuration_file
class paper = document report plan spec specification manuscript paper transcript contract resume invoice readme changelog draft note brief proposal
# `work`: prose that is written to be kept.
class work = contract agreement offer_letter cover_letter letter policy_document blog_post blog article manuscript essay newsletter resume cv white_paper whitepaper press_release grant_proposal thesis chapter readme tutorial meeting_minutes minutes runbook handbook user_guide adr architecture_decision_record prd prd_* release_notes
class record = log trace profile checkpoint lockfile lock_file manifest telemetry crash_dump core_dump metric_file result_file
class elsewhere = notion confluence jira linear figma airtable database ~tool issue ticket wiki

do file.read : read re-read reread open load parse ingest import inspect view examine check look_at find locate discover scan skim consult detect : ~data : ~bundled ~script ~source skill reference @elsewhere
do file.read : read re-read reread open load parse ingest import inspect view examine : file attachment json yaml xml @medium : ~bundled ~script ~source skill code source component rule guideline reference guide template @elsewhere
do file.read : read re-read parse load inspect : ~manual : this first ~bundled
make file.read : review summarize summarise analyze analyse extract convert transcribe ocr process validate check compare edit modify fill annotate merge split resize crop compress rotate repair clean translate redact proofread upload attach import : @medium : ~bundled ~source code source @elsewhere
make file.read : review summarize summarise analyze analyse convert process validate check compare : file data : ~bundled ~source code source api @elsewhere
do file.read : read re-read reread review open load summarize inspect examine parse look_at revise proofread : @paper config configuration log @record : ~bundled ~source code skill template reference @elsewhere
do file.read : extract : pdf pdf_* docx image document spreadsheet scan invoice receipt transcript slide : ~bundled ~source @elsewhere
say file.read 4 : uploaded file | uploaded files | uploaded image | uploaded images | uploaded document | uploaded documents | user's files | attached file | attached files | provided file | provided files | user's document | user's documents | user's data | existing file | local file | local files : system
say file.read 3 : existing document | existing documents | input file | input files | provide a file | extract text from | text extraction | file path to | path to the file

put file.write : write create save generate produce export output render append edit update fill build prepare deliver convert merge split resize crop compress annotate add download scaffold author place put store dump emit copy record : file ~data ~manual @medium : path ~bundled ~script ~source code source component @elsewhere
put file.write : write create save generate produce export append edit update fill build prepare deliver convert merge author store dump : json yaml : path ~bundled ~script ~source code source component @elsewhere
do file.write : save export persist store dump record : @paper output result finding artifact figure plot chart diagram summary answer response : memory @elsewhere
make file.write : create generate produce render draw plot make : figure plot chart diagram poster infographic heatmap : code component @elsewhere
make file.write : write create generate produce draft prepare author compose edit revise rewrite improve translate : @work : @elsewhere
make file.write : update edit revise amend : document plan_document design_document design_doc spec specification changelog : @elsewhere
make file.write 2 : write create generate produce draft prepare deliver update compile document : @paper documentation minutes deliverable artifact checklist : @elsewhere
say file.write 4 : save to_:_~folder | save to_:_~data | saved to_:_~folder | saved to_:_~data | output_:_~data | output_:_~folder | output file_:_~data | output location_:_~folder | saved at ~data | saved under ~folder | saved under ~data | written into ~data | saved to ~data | written to ~data | save to ~data | write to ~data | output to ~data | saved as ~data | save as ~data | save it to ~data | save it as ~data | saved in ~data | saved to ~folder | saved in ~folder | save to ~folder | saves to ~data | writes to ~data | working directory | stored in ~data | stored in ~folder | stored locally | stored at ~data | save the file | output file | output files
say file.write 2 : saved to | written to | save to | output directory | output folder

do file.delete : delete remove erase purge clean_up wipe trash unlink : file folder directory temporary_file worktree ~data ~folder placeholder_file : line entry reference ~tool
