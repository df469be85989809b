#!/bin/sh
# A reward script for pgkq: one number for the whole episode, with only a POSIX shell and awk.
#
#     ./pgkq train --env Hopper-v4 --reward "exec:sh examples/rewards/score.sh"
#
# The score is 1 per step minus 0.1 times the sum of squared actions. awk can parse the requests because pgkq writes them on
# one line and without spaces; a program with a JSON parser is safer.
LC_ALL=C exec awk '{
    match($0, /"length":[0-9]+/)
    steps = substr($0, RSTART + 9, RLENGTH - 9)
    name = "\"environmentActions\":["
    actions = substr($0, index($0, name) + length(name))
    actions = substr(actions, 1, index(actions, "]]"))
    gsub(/[][]/, "", actions)
    count = steps > 0 ? split(actions, action, ",") : 0
    for (i = 1; i <= count; i++) effort += action[i] * action[i]
    printf "{\"return\": %.9g}\n", steps - 0.1 * effort
}'
