"""What the person can answer to a question of the review, and how to take it back."""
