from django.urls import include, path

from games.api import games, history, judges, lobby, play, rulebooks, stream

OF_A_GAME = [  # what a game being played is asked for most comes first
    path("answers", play.AnswersView.as_view()),
    path("preview", play.PreviewView.as_view()),
    path("events", history.EventsView.as_view()),
    path("stream", stream.StreamView.as_view()),
    path("join", lobby.JoinView.as_view()),
    path("leave", lobby.LeaveView.as_view()),
    path("bots", lobby.FillView.as_view()),
    path("ready", lobby.ReadyView.as_view()),
    path("abort", lobby.AbortView.as_view()),
    path("acts", play.ActsView.as_view()),
    path("concede", play.ConcedeView.as_view()),
    path("offers", play.OffersView.as_view()),
    path("offers/<slug:offer>/accept", play.AcceptView.as_view()),
    path("offers/<slug:offer>/decline", play.DeclineView.as_view()),
    path("hand-over", play.HandOverView.as_view()),
    path("take-over", play.TakeOverView.as_view()),
    path("disputes", play.DisputesView.as_view()),
    path("disputes/<slug:dispute>/settle", judges.SettleView.as_view()),
    path("rulings", judges.RulingsView.as_view()),
    path("rewinds", judges.RewindsView.as_view()),
    path("reseat", judges.ReseatView.as_view()),
    path("pause", judges.PauseView.as_view()),
    path("resume", judges.ResumeView.as_view()),
    path("open-seals", judges.OpenSealsView.as_view()),
    path("state", history.StateView.as_view()),
    path("narration", history.NarrationView.as_view()),
    path("verify", history.VerifyView.as_view()),
    path("export", history.ExportView.as_view()),
    path("sandbox", history.SandboxView.as_view()),
]

urlpatterns = [
    path("games/<id:game>", games.OneGameView.as_view()),
    path("games/<id:game>/", include(OF_A_GAME)),
    path("games", games.GamesView.as_view()),
    path("rulebooks", rulebooks.RulebooksView.as_view()),
    path("rulebooks/<str:name>", rulebooks.RulebookView.as_view()),
]
