# What sentences tell the agent to do. Two kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

do secret.read : use provide need require set get obtain supply pass load configure export : api_key apikey api_token access_token token credential secret password auth_token private_key bearer_token ~secret service_account
do secret.write : save store write persist create generate rotate add set register keep put : api_key apikey api_token access_token credential secret password private_key keypair ssh_key token ~secret
do secret.write : log login authenticate sign : in oauth cli account
do env.write : set export define configure : environment_variable env_var env_variable ~variable ~secret environment
do env.read : read check use get load : environment_variable env_var env_variable ~variable
say secret.read 4 : api key required | requires an api key | bearer token | your api key
