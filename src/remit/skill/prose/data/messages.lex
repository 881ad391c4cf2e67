# What sentences tell the agent to send, to publish and to pay. The form of the lines: see files.lex.
#
# A comment on an issue or a pull request is a call of a service's API, not a message.

class chat = slack slack_message slack_channel telegram discord discord_message sms text_message whatsapp whatsapp_message chat_message dm direct_message imessage teams_message

make message.send : send compose_and_send deliver forward : email mail e-mail @chat
do message.send : notify alert : team channel slack telegram discord whatsapp via_email
do message.send : post send : @chat : comment review
do message.send : circulate distribute email : organizer attendee stakeholder participant recipient mailing_list team
do message.send 3 : send : organizer attendee stakeholder recipient mailing_list
make message.send 3 : send : message notification reminder newsletter digest
say message.send 4 : messages the user with | sends you a message | deliver to telegram | deliver to slack | deliver to the channel | deliver it to the chat | sends a notification to | sends notifications to | send a dm | send dms | by slack | via slack | via telegram | via whatsapp | via sms | on telegram | on whatsapp | distribute by email | circulate by email : api draft drafts
say message.send 4 : send emails | send email | send it by email | via email | by email | email it to | post to slack | sends messages
do publish : publish : package npm pypi website site blog marketplace registry blog_post article post crate release app public protocol
do publish : deploy : production site website app application vercel netlify cloudflare heroku preview cloud worker fly
do publish : post : tweet twitter linkedin blog reddit thread social_media
do publish : release ship upload : package npm pypi app_store testflight crate marketplace play_store
say publish 4 : publish to npm | publish to pypi | deploy to production
say publish 2 : post tweets | tweet posting
do pay : pay buy purchase spend order : money subscription order credit domain plan ticket usd invoice product item checkout
do pay : send transfer swap : eth sol usdc crypto payment
say pay 4 : real money | place an order | bill a real card
