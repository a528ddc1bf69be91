"""Several machines, proven on one: two of everything behind a proxy, and what holds then."""
