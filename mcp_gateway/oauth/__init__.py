"""The authorisation server: django-oauth-toolkit, bound to spaces."""
