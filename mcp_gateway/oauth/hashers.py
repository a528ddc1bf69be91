"""How the secrets of confidential clients are stored."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class RandomSecretHasher(PBKDF2PasswordHasher):
    """Hashes once: a client's secret is 128 random characters, which nobody can try through.

    The many rounds that passwords need would cost a third of a second for every refresh, and for
    everybody who sends a wrong secret.
    """

    algorithm = "random_secret"
    iterations = 1
