"""What operators and their machines look at: health, metrics, logs for programs."""
