"""The use cases: each service takes its ports in its constructor and answers with the bodies of the API."""
