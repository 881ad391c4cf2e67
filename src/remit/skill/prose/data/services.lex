# Hosted services by their names, and what sentences tell the agent to do with them. The form of the lines: see files.lex.
#
# Words that are usual English as well (`linear`, `box`, `segment`) stand only with the word that makes them a name.

class service = github gitlab bitbucket jira confluence trello asana clickup airtable notion todoist ticktick evernote linear_graphql slack discord telegram whatsapp intercom zendesk freshdesk hubspot salesforce pipedrive zoho gmail google_drive google_calendar google_sheets google_docs google_keep google_tasks google_photos google_maps google_places google_cloud google_analytics google_workspace bigquery youtube outlook onedrive sharepoint microsoft_graph microsoft_teams microsoft_365 office_365 dropbox icloud apple_music spotify soundcloud stripe paypal shopify square plaid quickbooks xero twilio sendgrid mailgun mailchimp postmark resend brevo openai anthropic gemini mistral cohere groq deepseek openrouter perplexity replicate fal_ai elevenlabs deepgram assemblyai stability_ai midjourney runway huggingface hugging_face dashscope qwen tavily exa firecrawl apify serpapi brave_search bing_search twitter reddit linkedin instagram facebook tiktok pinterest mastodon bluesky twitch strava fitbit garmin oura whoop withings aws amazon_s3 azure gcp cloudflare vercel netlify heroku digitalocean hetzner linode supabase firebase planetscale mongodb_atlas datadog sentry grafana_cloud pagerduty new_relic posthog mixpanel amplitude etherscan alchemy infura coinbase binance kraken opensea coingecko coinmarketcap polymarket yahoo_finance alpha_vantage finnhub openweathermap amadeus skyscanner airbnb yelp foursquare eventbrite meetup calendly zoom zapier make_com n8n figma canva wordpress ghost medium webflow contentful sanity algolia pinecone weaviate_cloud qdrant_cloud ibm_quantum materials_project benchling protocols_io

say api.call 3 : @service api | @service apis | @service rest api | @service graphql api | @service account
say api.call 3 : via @service | through @service | using @service | powered by @service | via the @service | using the @service : sdk sdks copilot
say api.call 4 : github cli | gitlab cli | aws cli | azure cli | vercel cli | stripe cli | gh cli | google cloud cli | supabase cli | firebase cli | cloudflare cli
say api.call 4 : ~service cli
do api.call : use run call : ~service ~service_cli github_cli gh_cli aws_cli azure_cli
do api.call 3 : list search query manage control check track sync create send post update get fetch look_up : @service_api @service_issue @service_board @service_workspace @service_account @service_note @service_file @service_post @service_channel @service_ticket @service_project @service_page
do api.call 3 : query call request hit : @service
do api.call 3 : interact work integrate connect : @service
need api.call 3 : @service account | @service token | @service credential | @service cli | @service subscription
