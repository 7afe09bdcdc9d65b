"""The studio: a local server and its page, where a person watches a solve and puts it right.

It needs the extra `studio`. `jigsolve studio` starts it; the page is in `page/`.
"""
