"""The dashboard's own pieces: state, background jobs, uploads, parts of pages, starting it.

The only package that imports streamlit. Pages put these pieces together.
"""
