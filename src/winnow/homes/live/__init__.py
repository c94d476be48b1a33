"""Homes read where they run: Home Assistant over its WebSocket API, SmartThings over REST.

Nothing here writes to a home, and nothing is sent to any server but the one the user named.
"""
