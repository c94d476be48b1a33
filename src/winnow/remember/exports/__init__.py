"""Exports of messages -> messages: lines or lists of JSON, requests to chat models, exports of ChatGPT.

The form is told by what stands in the file. ``read.read_export`` is the way in; nothing here stores anything.
"""
