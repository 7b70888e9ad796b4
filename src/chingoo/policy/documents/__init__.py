"""The typed documents, one module per policy area; field names are the YAML keys."""
