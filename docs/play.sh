#!/usr/bin/env bash
# Play any game over HTTP with curl: answers whatever is asked with something that fits, until the game is over.
#
#   terminal 1   TOKEN=arb_… docs/play.sh new theos          makes a game, sits down, waits for another
#   terminal 2   TOKEN=arb_… docs/play.sh join gam_…         sits down at it
#
# Each brings a random number of its own into the shuffles: committed when it joins, opened when all are in.
set -euo pipefail
API=${API:-http://127.0.0.1:8000/api/v1}
: "${TOKEN:?say who plays: TOKEN=arb_… (a token as \`manage.py up\` shows it)}"

get()  { curl -sSf "$API/$1" -H "Authorization: Bearer $TOKEN"; }
post() { curl -sS "$API/$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
              -H "Idempotency-Key: $(id)" -d "$2"; }
id()   { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
from() { python3 -c 'import json, sys; data = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }

# H("seat", game, seat, number) of docs/format.md
commitment() { python3 - "$@" <<'PY'
import hashlib, sys
game, seat, number = sys.argv[1].encode(), sys.argv[2].encode(), bytes.fromhex(sys.argv[3])
fields = b"".join(len(field).to_bytes(4, "big") + field for field in (game, seat, number))
print(hashlib.sha256(b"arbiter/seat/v1\0" + fields).hexdigest())
PY
}

# Something that fits: any question of any game has one of four shapes (docs/api.md).
FITS='
import json, random, sys
def fits(shape):
    if shape["is"] == "pick":
        return random.sample(shape["options"], random.randint(shape.get("lo", 1), shape.get("hi", 1)))
    if shape["is"] == "number":
        return random.randint(shape["lo"], shape["hi"])
    if shape["is"] == "split":
        shares = {option: shape.get("floors", {}).get(option, 0) for option in shape["options"]}
        for option in shares:
            room = shape.get("caps", {}).get(option, shape["total"]) - shares[option]
            shares[option] += min(room, shape["total"] - sum(shares.values()))
        return shares
    bins = {thing: shape["things"][thing] for thing in shape.get("required", [])}
    while True:
        found = {thing: random.choice(places) for thing, places in bins.items()}
        if all([*found.values()].count(place) <= most for place, most in shape.get("caps", {}).items()):
            return found
'

# The first decision that waits for us, and an answer: "d7 choose_card [["c12"]]". Empty: nothing waits for us.
decide() { python3 -c "$FITS"'
game = json.load(sys.stdin)
for ask in game["table"]["open"]:
    if ask["chooser"] == game["you"]:
        passing = ask.get("passes") and "default" in ask and random.random() < 0.75  # as people do
        print(ask["id"], ask["kind"], json.dumps([ask["default"] if passing else fits(ask["shape"])]))
        break
'; }

case "${1:-}" in
  new)  game=$(post games "{\"rulebook\": \"${2:-theos}\", \"seats\": 2}" | from 'data["stream"]'); seat=0
        echo "game $game: let somebody join it" ;;
  join) game=$2; seat=1 ;;
  *)    sed -n '2,7p' "$0" >&2; exit 2 ;;
esac

number=$(id)$(id)
post "games/$game/join" "{\"seat\": $seat, \"number_commit\": \"$(commitment "$game" $seat "$number")\"}" \
  | from '"seat %d, number committed" % data["action"]["seat"]'
until state=$(get "games/$game"); [ "$(from 'data["phase"]' <<< "$state")" = ready ]; do
  get "games/$game/events?since=$(from 'data["seq"]' <<< "$state")&wait=20" > /dev/null
done
post "games/$game/ready" "{\"number_open\": \"$number\"}" > /dev/null

while state=$(get "games/$game") && [ "$(from 'data["phase"]' <<< "$state")" != over ]; do
  if [ "$(from 'data["phase"]' <<< "$state")" = play ] && read -r decision kind path < <(decide <<< "$state"); then
    reply=$(post "games/$game/answers" "{\"decision\": \"$decision\", \"path\": $path}")
    while [ "$(from 'data.get("code")' <<< "$reply")" = incomplete ]; do  # a play of several parts: ask for the next
      part=$(post "games/$game/preview" "{\"decision\": \"$decision\", \"path\": $path}" 2> /dev/null)
      path=$(python3 -c "$FITS"'
print(json.dumps([*json.loads(sys.argv[1]), fits(json.loads(sys.argv[2])["next"]["shape"])]))' "$path" "$part")
      reply=$(post "games/$game/answers" "{\"decision\": \"$decision\", \"path\": $path}")
    done
    echo "$(from 'data.get("seq") or data["detail"]' <<< "$reply")  $decision $kind $path"
  else
    get "games/$game/events?since=$(from 'data["seq"]' <<< "$state")&wait=20" > /dev/null
  fi
done
from '"over: " + json.dumps(data["table"]["outcome"])' <<< "$state"
