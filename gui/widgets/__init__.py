"""Small controls that docks, forms and dialogs share."""
