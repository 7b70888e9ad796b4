"""The relational store on PostgreSQL: an embedded server, its migrations, and the statements of `ports.store.Store`."""
