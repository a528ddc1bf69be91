"""REST: what agents' tools do, and lists, for scripts and other front ends."""
