"""The one router below a space: methods of the same address have to stand in the same one."""

from ninja import Router

router = Router()
