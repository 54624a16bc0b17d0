"""Numbers to something seen: sentences, figures, tables, documents. No Streamlit."""
