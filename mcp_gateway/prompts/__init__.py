"""What a person can start with one command: texts that tell the model how to use its memory."""
