#!/usr/bin/env bash
# Tells that a unit failed, or that someone must look at what it published: what it was, what its exit status means, and
# the end of its log. After exit status 0, and after 75 of deals-push, it says nothing.
#
#   alert.sh deals-build.service        systemctl says how the unit ended
#   systemctl start deals-alert@trial   a trial: it tells nothing but that it works
#
# DEALS_ALERT_COMMAND is a line of shell that gets the text on stdin and the subject as $1; deals.env has an example.
# It must speak to a server itself (SMTP, HTTP): mail and sendmail hand a message to a spool by a program with rights of its
# own, and the unit neither lets it have them (NoNewPrivileges) nor write there (ProtectSystem=strict).
# Without it the text goes to the log of the alert, as an error. Exit status 1: the command failed; the text is in the log.
set -uo pipefail

unit=${1:?the name of a unit}
# MONITOR_EXIT_STATUS is not set where a unit names the alert in OnFailure= and in OnSuccess=.
status=$(systemctl show --property=ExecMainStatus --value "$unit")
result=$(systemctl show --property=Result --value "$unit")
if [[ "$unit" == trial ]]; then status='' result=''; fi

if [[ "$status:$result" == 0:success ]]; then exit 0; fi
# Another builder was first: servers get its snapshot.
if [[ "$unit:$status:$result" == deals-push.service:75:success ]]; then exit 0; fi

explain() {
  case "${unit%%[.@]*}:$1" in
    deals-build:1) echo 'the machine (disk, permissions) or a bug stopped it; what was current still is' ;;
    trial:*) echo 'alarms arrive here' ;;
    *:2) echo 'the command line, the configuration or the key file is wrong' ;;
    deals-build:3) echo 'a gate refused what was built; the previous snapshot is still served. deals status says what to do' ;;
    deals-build:4) echo 'it published, but a source was held or withdrawn, or is missing. Held deals go after 48 hours: deals status says what to do' ;;
    deals-build:75) echo 'another build or a rollback has held the store for half an hour' ;;
    deals-push:1) echo 'the object store did not take the snapshot, for four hours, or the machine stopped it. Servers keep what they have. When the cause is gone: systemctl start deals-push' ;;
    deals-push:3) echo 'nothing was published: the snapshot was not built on the published one, or the object store cannot keep two builders apart. The log below says which, and what to do' ;;
    deals-push:4) echo 'it published, but could not tidy up the object store; the next push tries again' ;;
    deals-fetch:1) echo 'a source could not be fetched; the file of before stays, and the build goes on' ;;
    deals-fetch:75) echo 'another fetch has been going on' ;;
    *) echo "it ended with ${result:-an unknown result}" ;;
  esac
}

host=$(uname -n)
event=failed
if [[ "$result" == success ]]; then event='needs someone to look'; fi
subject="$host: $unit $event (exit status $status)"
if [[ "$unit" == trial ]]; then subject="$host: a trial of the alarm"; fi
# Of this run alone: the nights before have told of themselves.
run=$(systemctl show --property=InvocationID --value "$unit")
text=$(
  printf '%s\n%s\n\n' "$subject" "$(explain "$status")"
  journalctl --unit="$unit" --lines=60 --no-pager --output=cat ${run:+"_SYSTEMD_INVOCATION_ID=$run"} 2>/dev/null
)

# <3> is how a line tells the journal that it is an error.
log() { while IFS= read -r line; do printf '<3>%s\n' "$line"; done <<<"$text"; }

if [[ -z "${DEALS_ALERT_COMMAND:-}" ]]; then
  log
  exit 0
fi
if ! bash -c "$DEALS_ALERT_COMMAND" alert "$subject" <<<"$text"; then
  log
  echo '<3>the command of DEALS_ALERT_COMMAND failed' >&2
  exit 1
fi
