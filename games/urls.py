from django.urls import path

from games.api import games, history, judges, lobby, play, rulebooks

GAME = "games/<id:game>"

urlpatterns = [
    path("rulebooks", rulebooks.RulebooksView.as_view()),
    path("rulebooks/<str:name>", rulebooks.RulebookView.as_view()),
    path("games", games.GamesView.as_view()),
    path(GAME, games.OneGameView.as_view()),
    path(f"{GAME}/join", lobby.JoinView.as_view()),
    path(f"{GAME}/leave", lobby.LeaveView.as_view()),
    path(f"{GAME}/bots", lobby.FillView.as_view()),
    path(f"{GAME}/ready", lobby.ReadyView.as_view()),
    path(f"{GAME}/abort", lobby.AbortView.as_view()),
    path(f"{GAME}/answers", play.AnswersView.as_view()),
    path(f"{GAME}/preview", play.PreviewView.as_view()),
    path(f"{GAME}/acts", play.ActsView.as_view()),
    path(f"{GAME}/concede", play.ConcedeView.as_view()),
    path(f"{GAME}/offers", play.OffersView.as_view()),
    path(f"{GAME}/offers/<slug:offer>/accept", play.AcceptView.as_view()),
    path(f"{GAME}/offers/<slug:offer>/decline", play.DeclineView.as_view()),
    path(f"{GAME}/hand-over", play.HandOverView.as_view()),
    path(f"{GAME}/take-over", play.TakeOverView.as_view()),
    path(f"{GAME}/disputes", play.DisputesView.as_view()),
    path(f"{GAME}/disputes/<slug:dispute>/settle", judges.SettleView.as_view()),
    path(f"{GAME}/rulings", judges.RulingsView.as_view()),
    path(f"{GAME}/rewinds", judges.RewindsView.as_view()),
    path(f"{GAME}/reseat", judges.ReseatView.as_view()),
    path(f"{GAME}/pause", judges.PauseView.as_view()),
    path(f"{GAME}/resume", judges.ResumeView.as_view()),
    path(f"{GAME}/open-seals", judges.OpenSealsView.as_view()),
    path(f"{GAME}/events", history.EventsView.as_view()),
    path(f"{GAME}/state", history.StateView.as_view()),
    path(f"{GAME}/narration", history.NarrationView.as_view()),
    path(f"{GAME}/verify", history.VerifyView.as_view()),
    path(f"{GAME}/export", history.ExportView.as_view()),
    path(f"{GAME}/sandbox", history.SandboxView.as_view()),
]
