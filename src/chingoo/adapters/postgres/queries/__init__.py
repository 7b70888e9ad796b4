"""The statements, one module per concern: the SQL as constants, and what turns our values into it and back."""
