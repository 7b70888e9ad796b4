"""The shapes of what the API answers, for its OpenAPI description; the use cases build the values themselves."""
