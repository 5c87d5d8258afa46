#!/usr/bin/env bash
# Says in one comment of a pull or merge request what it does to the designs; silent as long as it does nothing.
#
# On GitHub through `gh`, on GitLab through `curl`. Needs dcgen, git and python3, and a clone with its whole history.
# Everything comes in by the environment, and none of it is ever run:
#   DCGEN_PATH    folder of blueprints, or one; . unless set
#   DCGEN_BASE    what is compared with; the target branch unless set
#   DCGEN_KEY     tells the comments of several jobs apart
#   DCGEN_COMMENT false: no comment
#   DCGEN_REPORT  folder for the report; a temporary one unless set
#   GitHub: DCGEN_PULL_REQUEST (number), DCGEN_AUTHOR (login of the token), GH_TOKEN
#   GitLab: DCGEN_TOKEN (a project access token with the scope `api`)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
key=$(printf %s "${DCGEN_KEY:-designs}" | LC_ALL=C tr -cs 'A-Za-z0-9._\n' '-')
report=${DCGEN_REPORT:-$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/dcgen-review.XXXXXX")}
if [ -n "${CI_MERGE_REQUEST_IID:-}" ]; then forge=gitlab; else forge=github; fi

note() { # a line for the log; what looks like a command of the runner is none
    printf '%s\n' "dcgen: $*" | sed -e 's/##\[/#\\#[/g'
}

# ---------------------------------------------------------------- what changes
base=${DCGEN_BASE:-}
if [ -z "$base" ] && [ "$forge" = gitlab ]; then base=${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}; fi
if [ -z "$base" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then base=origin/$GITHUB_BASE_REF; fi
if [ -z "$base" ]; then
    note "there is nothing to compare with: set DCGEN_BASE, or run in a pull or merge request"
    exit 2
fi

status=0
found=$(dcgen diff "$base...HEAD" "${DCGEN_PATH:-.}" --format "$forge" --output "$report" --key "$key") || status=$?
if [ "$forge" = github ]; then
    printf '%s\n' "$found" # the runner reads annotations off the log
else
    printf '%s\n' "${found:-[]}" > gl-code-quality-report.json
fi
comment=$report/comment.md
if [ -s "$comment" ]; then changed=true; else changed=false; fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ "$changed" = true ]; then cat "$report/summary.md" >> "$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
    end=end-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n') # a path may hold anything but this
    printf 'changed=%s\nstatus=%s\nreport<<%s\n%s\n%s\n' "$changed" "$status" "$end" "$report" "$end" >> "$GITHUB_OUTPUT"
fi

# ---------------------------------------------------------------- the comment
notes=${CI_API_V4_URL:-}/projects/${CI_PROJECT_ID:-}/merge_requests/${CI_MERGE_REQUEST_IID:-}/notes

gitlab() { # the token goes in by standard input, where no list of processes shows it
    printf 'header = "PRIVATE-TOKEN: %s"\n' "${DCGEN_TOKEN:-}" | curl --config - --fail --silent --show-error "$@"
}

found() { # the number of our comment, or nothing
    local page=1 notes_of_page mine
    if [ "$forge" = github ]; then
        gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$DCGEN_PULL_REQUEST/comments?per_page=100" |
            python3 "$here/find-comment.py" "$key" "${DCGEN_AUTHOR:-github-actions[bot]}"
        return
    fi
    mine=$(gitlab "$CI_API_V4_URL/user" | python3 "$here/find-comment.py")
    while true; do
        notes_of_page=$(gitlab "$notes?per_page=100&page=$page")
        if [ "$notes_of_page" = "[]" ]; then return; fi
        printf %s "$notes_of_page" | python3 "$here/find-comment.py" "$key" "$mine"
        page=$((page + 1))
    done
}

put() { # write a file as a new comment, or in place of the one that is named
    if [ "$forge" = github ] && [ -n "$2" ]; then
        gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$2" --field "body=@$1"
    elif [ "$forge" = github ]; then
        gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$DCGEN_PULL_REQUEST/comments" --field "body=@$1"
    elif [ -n "$2" ]; then
        gitlab --output /dev/null --request PUT --data-urlencode "body@$1" "$notes/$2"
    else
        gitlab --output /dev/null --request POST --data-urlencode "body@$1" "$notes"
    fi
}

speak() {
    local before
    before=$(found)
    before=${before%%$'\n'*}
    if [ "$changed" = false ] && [ -z "$before" ]; then return; fi
    if [ "$changed" = false ]; then
        printf '<!-- dcgen-diff:%s -->\n\ndcgen: **nothing changes any more.** The designs are those of the target branch.\n' "$key" > "$comment"
    fi
    put "$comment" "$before"
}

if [ "${DCGEN_COMMENT:-true}" = true ] && [ -n "${DCGEN_PULL_REQUEST:-${CI_MERGE_REQUEST_IID:-}}" ] && [ "$status" -ne 1 ]; then
    # a pull request from a fork has a token that may not write: that is no fault of the design
    if ! (set -e && speak); then
        note "the comment could not be written; the report is in $report"
    fi
fi
exit "$status"
