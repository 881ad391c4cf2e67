# What sentences tell the agent to do on the network. The form of the lines: see files.lex; hosted services: services.lex.

class page = url page website webpage web_page site link ~url ~api documentation_page rss feed rss_feed doc_page
class docs = latest_doc official_doc current_doc upstream_doc online_doc official_documentation latest_documentation current_documentation latest_guideline release_note latest_version canonical_doc sdk_doc api_doc

do web.fetch : fetch download browse scrape crawl retrieve visit : @page @docs web internet : ~tool mcp notion
do web.fetch : look_up check consult search fetch read find verify : @docs online : ~bundled ~tool mcp
make web.fetch : download : file dataset model weight image video release binary archive package_archive asset database attachment paper pdf result config checkpoint
do web.fetch : search google query research browse : web internet online google pubmed arxiv official_documentation news google_scholar literature
do web.fetch : webfetch websearch : *
do web.fetch : clone : repo repository ~url
say web.fetch 4 : use webfetch | use websearch | webfetch to | websearch to | via webfetch | with webfetch | webfetch the | websearch for | webfetch for | search the web | search online | searching the web | use web search | using web search | via web search | browse the web | web research
say web.fetch 2 : websearch | webfetch | web search | internet search | web scraping | http get | real-time data | live data
need web.fetch 3 : internet access | internet connection | network access | web access
do web.fetch : check consult visit verify review : leaderboard release_page pricing_page status_page model_card changelog_page supported-models_page vendor_site upstream_changelog registry_page project_page
say web.fetch 4 : search .. on github | samples on github | examples on github | search stack overflow | search hacker news | look it up online | look up online | check online | google it | search engine results
say web.fetch 4 : latest documentation at | documentation at ~url | docs at ~url | read about .. ~url | refer to ~url | consult ~url | check ~url | see the docs at ~url
do web.fetch : read consult check open : ~url
do web.post : post upload submit send put : form_data ~api endpoint webhook json_payload http_post
say web.post 4 : http post | post request to | post to ~api | post to ~url
do web.interact : navigate click automate drive control scroll interact : browser webpage playwright puppeteer chrome chromium dom web_page selenium button
do web.interact : take capture : browser_screenshot page_screenshot
do web.interact : use launch run write : playwright puppeteer selenium headless_browser browser_automation agent-browser
do web.interact : take capture grab : screenshot : desktop screen window simulator emulator phone ios android user
say web.interact 4 : in the browser tool | browser tools | drive the browser | automate the browser | real browser
say web.interact 4 : browser automation | headless browser | using playwright | like playwright | with playwright | playwright mcp | browser tool
say web.interact 2 : chrome devtools | playwright | puppeteer | selenium
do net.listen : start launch serve host spin run : dev_server local_server http_server development_server preview_server webserver web_server localhost server mcp_server : ~tool
say net.listen 4 : serve it locally | serve locally | serve the folder | serves the page | start a server | run a local server | start a local http server | run the dev server | start the dev server | start a dev server | listens on port | listening on port | on localhost port : build
say net.listen 4 : start the server | starts a server | starts a local server | local web server
do net.connect : ssh connect : ssh remote_host remote_server remote_machine websocket socket grpc
need net.connect : ssh access | ssh connection | ssh key
say net.connect 4 : ssh session | ssh connection to | connect via websocket | connect over websocket | websocket connection to | via grpc | over grpc
say net.connect 4 : over ssh | via ssh | ssh into | ssh to
do api.call : call query hit invoke : api rest_api graphql_api : external fluent browser public dom web
do api.call 3 : interact integrate work communicate authenticate : api rest_api web_api
say api.call 4 : wrapper for .. api | wrapper around .. api | client for .. api | interface to .. api
say api.call 3 : via the .. api | through the .. api | using the .. api | using .. api | with the .. api | via .. api | through .. api | integration with .. api : dom browser react css fluent python javascript java building build design designing write writing create creating
need api.call : api key | api token | api credential
do api.call 3 : use access : rest_api graphql_api http_api cloud_api official_api
say api.call 4 : via the api | through the api | using the api | using its api | x-api-key
say api.call 3 : ~api | api calls to | calls the api | api base url
say api.call 4 : ~apikey
say api.call 2 : api key | rest api | graphql api | email api | chat api | rate limits
