"""The dashboard, the only package that imports streamlit."""
