"""What is searched beside the home: each source a coroutine ``(search, scope, limit) -> Shortlist``.

Here is what waits: rows are loaded and vectors fetched. How they are ranked is a folder of ``recall``.
"""
