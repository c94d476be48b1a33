"""Documents -> passages in the store: found, read, converted, cut, compared with what is there, kept.

``add_documents`` is the way in, ``export`` and ``forget`` are the ways out.
"""
