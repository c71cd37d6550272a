"""The demo: a conversation over Gmail and Stripe, with both APIs and the model in this process.

Not here: the library. The demo uses it as any program does.
"""
