"""People: sign-in, account, browsers."""
