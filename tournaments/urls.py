from django.urls import path

from tournaments.api import commands, limited, mine, reading

TOURNAMENT = "tournaments/<id:tournament>"

urlpatterns = [
    path("tournaments", commands.TournamentsView.as_view()),
    path(TOURNAMENT, reading.TournamentView.as_view()),
    path(f"{TOURNAMENT}/standings", reading.StandingsView.as_view()),
    path(f"{TOURNAMENT}/standings.csv", reading.CsvView.as_view()),
    path(f"{TOURNAMENT}/standings/<int:number>", reading.WorkingView.as_view()),
    path(f"{TOURNAMENT}/rounds/<int:round>", reading.RoundView.as_view()),
    path(f"{TOURNAMENT}/rounds/<int:round>/verify", reading.VerifyRoundView.as_view()),
    path(f"{TOURNAMENT}/rounds/<int:round>/tables/<int:table>/explain", reading.ExplainView.as_view()),
    path(f"{TOURNAMENT}/corrections/<int:seq>", reading.ImpactView.as_view()),
    path(f"{TOURNAMENT}/stages/<int:stage>/bracket", reading.BracketView.as_view()),
    path(f"{TOURNAMENT}/corrections/<int:seq>", reading.ImpactView.as_view()),
    path(f"{TOURNAMENT}/stages/<int:stage>/pods", limited.PodsView.as_view()),
    path(f"{TOURNAMENT}/decks", limited.DecksView.as_view()),
    path(f"{TOURNAMENT}/decks/<int:number>", limited.DeckView.as_view()),
    path(f"{TOURNAMENT}/matches/<slug:match>/sideboard", limited.SideboardView.as_view()),
    path(f"{TOURNAMENT}/events", reading.EventsView.as_view()),
    path(f"{TOURNAMENT}/entrants", reading.EntrantsView.as_view()),
    path(f"{TOURNAMENT}/me", mine.MineView.as_view()),
    path(f"{TOURNAMENT}/desk", mine.DeskView.as_view()),
    path("me/matches", mine.MyMatchesView.as_view()),
    path(f"{TOURNAMENT}/export", reading.ExportView.as_view()),
    path(f"{TOURNAMENT}/trf", reading.TrfView.as_view()),
    *(path(f"{TOURNAMENT}/{place}", view) for place, view in commands.COMMANDS.items()),
]
