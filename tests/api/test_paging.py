"""Pages hold while rows come and go."""

from urllib.parse import urlsplit

from accounts.models import AccessToken


def follow(client, page):
    parts = urlsplit(page["next"])
    assert (parts.scheme, parts.netloc) == ("http", "testserver")  # a full URL: nothing to put together
    return client.read(parts.path.removeprefix("/api/v1") + "?" + parts.query).json()


def test_pages_show_everything_once_though_rows_come_and_go(api, person):
    somebody = person()
    for _ in range(6):
        somebody.minted("games:read")
    ids = sorted(AccessToken.objects.filter(owner=somebody.user).values_list("pk", flat=True), reverse=True)
    mine = api(somebody.token)

    first = mine.read("/tokens?limit=3").json()
    somebody.minted("games:read")  # newer than all: belongs to no page that is still to come
    AccessToken.objects.filter(pk=ids[2]).delete()  # the very row the next page continues after
    second = follow(mine, first)
    third = follow(mine, second)

    seen = [row["id"] for page in (first, second, third) for row in page["data"]]
    assert seen == ids
    assert [page["has_more"] for page in (first, second, third)] == [True, True, False]
    assert third["next"] is None


def test_a_page_that_ends_exactly_says_so(api, person):
    page = api(person().token).read("/tokens?limit=1").json()
    assert (len(page["data"]), page["has_more"], page["next"]) == (1, False, None)


def test_past_the_end_is_an_empty_page(api, person):
    page = api(person().token).read("/tokens?after=0").json()
    assert page == {"data": [], "has_more": False, "next": None}
