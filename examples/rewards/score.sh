#!/bin/sh
# A reward for pgkq as a shell script: one number for the whole episode, with nothing but a POSIX shell and awk.
#
#     ./pgkq train --env Hopper-v4 --reward "exec:sh examples/rewards/score.sh"
#
# It pays 1 for every step and takes 0.1 for every squared action. pgkq writes its requests on one line and without spaces,
# which is what lets awk find its way; a program that knows JSON is safer.
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
