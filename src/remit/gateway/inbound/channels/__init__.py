"""The platforms: what they send is checked and made into events; what is to be sent goes out in their form.

- form: what a channel is
- one file for each platform
"""
