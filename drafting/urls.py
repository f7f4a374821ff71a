from django.urls import path

from drafting.api import drafts, history, picking

DRAFT = "drafts/<id:draft>"

urlpatterns = [
    path("draft-styles", drafts.StylesView.as_view()),
    path("drafts", drafts.DraftsView.as_view()),
    path(DRAFT, drafts.OneDraftView.as_view()),
    path(f"{DRAFT}/join", drafts.DraftJoinView.as_view()),
    path(f"{DRAFT}/leave", drafts.DraftLeaveView.as_view()),
    path(f"{DRAFT}/bots", drafts.DraftFillView.as_view()),
    path(f"{DRAFT}/ready", drafts.DraftReadyView.as_view()),
    path(f"{DRAFT}/abort", drafts.DraftAbortView.as_view()),
    path(f"{DRAFT}/picks", picking.PicksView.as_view()),
    path(f"{DRAFT}/deck", picking.BuildView.as_view()),
    path(f"{DRAFT}/pool", picking.PoolView.as_view()),
    path(f"{DRAFT}/drop", picking.DropView.as_view()),
    path(f"{DRAFT}/hand-over", picking.DraftHandOverView.as_view()),
    path(f"{DRAFT}/take-over", picking.DraftTakeOverView.as_view()),
    path(f"{DRAFT}/pause", picking.DraftPauseView.as_view()),
    path(f"{DRAFT}/resume", picking.DraftResumeView.as_view()),
    path(f"{DRAFT}/open-seals", picking.DraftOpenView.as_view()),
    path(f"{DRAFT}/games", picking.DraftGamesView.as_view()),
    path(f"{DRAFT}/events", history.DraftEventsView.as_view()),
    path(f"{DRAFT}/stream", history.DraftStreamView.as_view()),
    path(f"{DRAFT}/narration", history.DraftNarrationView.as_view()),
    path(f"{DRAFT}/state", history.DraftStateView.as_view()),
    path(f"{DRAFT}/verify", history.DraftVerifyView.as_view()),
    path(f"{DRAFT}/export", history.DraftExportView.as_view()),
]
