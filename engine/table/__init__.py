"""Tables: columns as a person has them, and the arrays that methods learn from."""
