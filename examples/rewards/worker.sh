#!/bin/sh
# Answers the requests in a folder, for rewards that are jobs of a cluster: run it from as many machines as you like.
#
#     ./pgkq train --env Hopper-v4 --reward files:/shared/rewards
#     while sleep 10; do sh worker.sh /shared/rewards python3 "$PWD/score.py"; done          # somewhere else
#
# Every request is claimed by renaming it, which only one worker can do, and its answer appears whole, by renaming, too. To
# hand the work to a scheduler instead, put the part between if and fi into a job (sbatch, qsub).
box=$1
shift
for request in "$box"/requests/*.json; do
    key=$(basename "$request" .json)
    claimed=$box/requests/$key.claimed
    mv "$request" "$claimed" 2>/dev/null || continue # there was none, or another worker was faster
    unfinished=$box/answers/.$key
    if "$@" <"$claimed" >"$unfinished" 2>"$unfinished.log"; then
        mv "$unfinished" "$box/answers/$key.json"
        rm -f "$unfinished.log"
    else
        echo "exit code $?" >>"$unfinished.log"
        mv "$unfinished.log" "$box/answers/$key.error"
        rm -f "$unfinished"
    fi
done
