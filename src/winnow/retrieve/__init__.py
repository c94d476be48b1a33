"""Reading -> Shortlists: a folder a source, in each one function ``(query, scope, limits) -> Shortlist``.

Beside them stand the lanes any source may search by: words (``lexical``), vectors, and both (``expand``).
"""
