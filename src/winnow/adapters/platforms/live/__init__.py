"""Homes read and acted on where they run: Home Assistant over its WebSocket API, SmartThings over REST.

Only what is called ``acting`` writes to a home, and nothing is sent to any server but the one the user named.
"""
