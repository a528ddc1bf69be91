"""What operators see of background work: which job ran when, how it ended, and how to repeat it."""
