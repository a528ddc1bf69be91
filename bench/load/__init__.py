"""A mixed load as many agents make it, what each part of the product spends on it, and on what."""
