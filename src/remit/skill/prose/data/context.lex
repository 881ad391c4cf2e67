# What sentences tell the agent to do. Four kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   make CAPABILITY [POINTS] : verbs : objects     the same, but the object follows at once: nothing behind a preposition counts
#                         [: words]               none of which may stand later in the clause: they speak against it
#                                                  `pdf_*` is `pdf`, even as part of a longer noun
#   none first_last first_last …                   pairs of words that are not what their last word says
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

# The skill's own documents, and other skills. `this skill` is the one that is read already.
do context.load : read load see consult follow use open check refer review study copy reference start apply include look_at : ~bundled reference_file reference_guide reference_document reference_doc rule_file guideline_file guidance_file bundled_file bundled_template
do context.load : use invoke load run follow call apply see activate trigger hand defer delegate route : skill sub-skill : this user
say context.load 4 : required sub-skill | required background | read references | see references | consult references | load references | check references
