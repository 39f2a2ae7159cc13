#!/bin/sh
# /usr/local/bin/deals: the installed version. Root gets it as the user of the services, over their configuration, store and
# keys, so that `deals rollback` leaves files that they can read.
set -eu
program=/opt/deals/dist/js/cli/main.js
[ "$(id -u)" = 0 ] || exec node "$program" "$@"
umask 077
export DEALS_STORE=/var/lib/deals DEALS_KEYS=/etc/deals/keys/keys.json
# A server that pulls has no configuration.
if [ -e /srv/deals/catalogue.json ] || [ "${1:-}" = init ]; then export DEALS_CONFIG=/srv/deals/catalogue.json; fi
exec runuser -u deals -- node "$program" "$@"
