"""Where tools come from. Each module makes `Tool` objects out of one kind of thing."""
