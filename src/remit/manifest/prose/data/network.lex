# What sentences tell the agent to do. Two kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

do web.fetch : fetch download browse scrape crawl retrieve pull visit open look_up : web url page website webpage web_page site internet online link ~url documentation_page latest_doc official_doc rss feed
do web.fetch : search google query research look_up check browse consult : web internet online google pubmed arxiv official_documentation news
do web.interact : navigate click type fill automate drive open take test scroll interact screenshot : browser webpage playwright puppeteer chrome chromium form button dom web_page selenium
do net.listen : start launch run spin serve host : server dev_server local_server http_server development_server preview_server webserver localhost
do net.connect : ssh connect : host server remote socket database websocket device ssh
do api.call : call query use hit invoke request post send access : api rest_api graphql_api graph_api github_api openai_api endpoint_api hosted_service
say api.call 4 : api key | via the api | rest api | graphql api | api client | api calls | api endpoint | api request
say web.fetch 4 : websearch | webfetch | web search | search the web | web_search | web_fetch
say web.interact 4 : browser automation | headless browser | playwright | puppeteer
