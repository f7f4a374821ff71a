from django.urls import path

from accounts import api

urlpatterns = [
    path("people", api.PeopleView.as_view()),
    path("log-in", api.LogInView.as_view()),
    path("me", api.MeView.as_view()),
    path("me/password", api.PasswordView.as_view()),
    path("me/erase", api.EraseView.as_view()),
    path("tokens", api.TokensView.as_view()),
    path("tokens/current", api.CurrentTokenView.as_view()),
    path("tokens/<id:token>", api.TokenView.as_view(), name="token"),
]
