from django.urls import path

from decks.api import cards, decks, submissions

urlpatterns = [
    path("cards", cards.CardsView.as_view()),
    path("cards/bulk", cards.BulkView.as_view()),
    path("cards/<str:rulebook>/<str:key>", cards.CardView.as_view()),
    path("formats", decks.FormatsView.as_view()),
    path("decks", decks.DecksView.as_view()),
    path("decks/check", decks.CheckView.as_view()),
    path("decks/<id:deck>", decks.DeckView.as_view()),
    path("decks/<id:deck>/export", decks.ExportView.as_view()),
    path("submissions", submissions.SubmissionsView.as_view()),
]
