#!/bin/sh
# Processes the requests in a folder, for rewards computed by cluster jobs. Run it on as many machines as you like.
#
#     ./pgkq train --env Hopper-v4 --reward files:/shared/rewards
#     while sleep 10; do sh worker.sh /shared/rewards python3 "$PWD/score.py"; done          # on any machine
#
# A worker claims a request by renaming it, which only one worker can do. Renaming also makes the answer appear complete. To use
# a scheduler instead, put the part between if and fi into a job (sbatch, qsub).
box=$1
shift
for request in "$box"/requests/*.json; do
    key=$(basename "$request" .json)
    claimed=$box/requests/$key.claimed
    mv "$request" "$claimed" 2>/dev/null || continue # no requests, or another worker was faster
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
