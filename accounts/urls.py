"""Addresses of sign-in and the account page."""

from django.urls import path

from accounts.views import account, development, exporting, second_factor, signing_in

app_name = "accounts"
urlpatterns = [
    path("sign-in/", signing_in.sign_in, name="sign-in"),
    path("sign-in/code/", signing_in.code, name="code"),
    path("sign-out/", signing_in.sign_out, name="sign-out"),
    path("account/", account.account, name="account"),
    path("account/browsers/sign-out/", account.sign_out_all, name="browsers-sign-out"),
    path(
        "account/browsers/<uuid:public_id>/sign-out/",
        account.sign_out_one,
        name="browser-sign-out",
    ),
    path("account/second-factor/", second_factor.second_factor, name="second-factor"),
    path("account/second-factor/set-up/", second_factor.setup, name="second-factor-setup"),
    path("account/export/", exporting.export, name="export"),
    path("account/delete/", account.delete, name="delete"),
    path("development/mail/", development.mail, name="development-mail"),
]
