"""What a method is: its page, its parameters, its steps, and how it is found."""
