"""The product's settings under a name of their own: only with it do the fixtures come along."""

from brain.settings import *  # noqa: F403
