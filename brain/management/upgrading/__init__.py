"""What migrations do to tables that are in use; one judgement for operators and for tests."""
