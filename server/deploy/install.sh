#!/usr/bin/env bash
# Installs the package that it lies in (Debian 12 or newer, as root), or puts it in the place of another version:
#
#   install.sh [--dry-run] [DEALS_NAME=VALUE ...]    the settings go to /etc/deals/deals.env, which explains them
#   install.sh [--dry-run] --uninstall [--purge]     --purge also deletes settings, keys, sources and snapshots
#
# A line a step says what it does. What is as it should be is left as it is: a second run changes nothing. To go back to
# an older version, run the install.sh of that one, /opt/deals-<version>/server/deploy/install.sh.
#
# Exit status: 0 done, 1 a step failed, 2 something is missing or wrong, and nothing was changed.

# shellcheck disable=SC2317 # functions that step calls
set -euo pipefail
umask 022
export LC_ALL=C
# That of the services: what is found here is found there.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

settings=/etc/deals/deals.env
systemd=/etc/systemd/system
site=/etc/nginx/conf.d/deals.conf
command=/usr/local/bin/deals

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
package=$(cd "$here/../.." && pwd -P)
temporary=$(mktemp -d)
finish() {
  if (($? == 1)); then echo 'The last step failed; what follows it was not done. Mend it, and run this again.' >&2; fi
  rm -rf "$temporary"
}
trap finish EXIT

dry='' steps=0
declare -A given=()

refuse() {
  printf '%s\n' "$*" >&2
  exit 2
}

# Says a step, and takes it unless --dry-run is given. $1: the line; then the command.
step() {
  steps=$((steps + 1))
  printf '%s%s\n' "${dry:+would }" "$1"
  if [[ -z "$dry" ]]; then "${@:2}"; fi
}

# The value of a setting: of the command line, else of the file that is installed, else of that of the package.
setting() {
  local file=$settings value
  if [[ ! -e "$file" ]]; then file="$here/deals.env"; fi
  value=$(sed -n "s/^$1=//p" "$file" | tail -n 1)
  value=${value#[\'\"]}
  printf '%s' "${given[$1]-${value%[\'\"]}}"
}

# Puts a file where it belongs, and says so in `changed`. $1: the file, $2: its place, $3: its mode.
put() {
  if cmp --silent "$1" "$2"; then return; fi
  step "write $2" install -D -m "$3" "$1" "$2"
  changed=yes
}

# $1: the word for it; then paths that may be there.
remove() {
  local path
  for path in "${@:2}"; do
    if [[ -e "$path" || -L "$path" ]]; then step "$1 $path" rm -rf "$path"; fi
  done
}

check_machine() {
  local tool url servers
  [[ -d /run/systemd/system ]] || refuse 'expected a machine that systemd has started'
  for tool in node npm curl openssl runuser useradd nginx; do
    command -v "$tool" >/dev/null || [[ "$tool:$role" == nginx:builder ]] || refuse "expected $tool in $PATH, found none"
  done
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' ||
    refuse "expected Node 20.19 or newer, found $(node --version)"
  [[ -e "$package/npm-shrinkwrap.json" ]] || refuse "$package is no package; npm run package makes one"
  [[ "$role" =~ ^(one|builder|server|edge)$ ]] || refuse "DEALS_ROLE: expected one, builder, server or edge, got $role"
  url=$(setting DEALS_PUBLIC_URL)
  [[ "$url" =~ ^https://[a-z0-9.-]+$ ]] || refuse "DEALS_PUBLIC_URL: expected one such as https://deals.example.com, got $url"
  servers=$(setting DEALS_SERVERS)
  [[ "$servers" =~ ^[0-9.]+:[0-9]+(\ [0-9.]+:[0-9]+)*$ ]] ||
    refuse "DEALS_SERVERS: expected addresses such as 10.0.0.11:8080, with a space between them, got $servers"
  [[ "$role" != server || -e /etc/deals/remote.env ]] ||
    refuse "expected /etc/deals/remote.env, where a server pulls from; $here/remote.env explains it"
}

write_settings() {
  local name file="$temporary/deals.env" changed=''
  cp "$here/deals.env" "$file"
  if [[ -e "$settings" ]]; then cp "$settings" "$file"; fi
  for name in "${!given[@]}"; do
    export NAME=$name VALUE=${given[$name]}
    awk 'BEGIN { line = ENVIRON["NAME"] "=\047" ENVIRON["VALUE"] "\047" }
      !done && $0 ~ "^#?" ENVIRON["NAME"] "=" { print line; done = 1; next }
      { print }
      END { if (!done) print line }' "$file" >"$file.new"
    mv "$file.new" "$file"
  done
  put "$file" "$settings" 600
  restart=$changed
}

# Copies the package to its own folder, with the packages of its lock file.
copy_program() {
  rm -rf "$program.new"
  mkdir "$program.new"
  tar -C "$package" --exclude=./node_modules -c . | tar -C "$program.new" --no-same-owner -x
  (cd "$program.new" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null)
  mv "$program.new" "$program"
}

install_program() {
  local sum
  # A package of the same version with other files is another version.
  sum=$(cd "$package" && find . -path ./node_modules -prune -o -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
  program=/opt/deals-$(node -p 'require(process.argv[1]).version' "$package/package.json")-${sum:0:8}
  if [[ ! -d "$program" ]]; then step "install the program and its packages in $program" copy_program; fi
  if [[ "$(readlink /opt/deals)" != "$program" ]]; then
    step "make /opt/deals a link to $program" ln -sfn "$program" /opt/deals
    restart=yes
  fi
  if [[ ! -L "$command" ]]; then step "make the command $command" ln -s /opt/deals/server/deploy/deals.sh "$command"; fi
}

install_units() {
  local file changed=''
  for file in "$here"/*.service "$here"/*.timer; do put "$file" "$systemd/${file##*/}" 644; done
  put "$here/confine.conf" "$systemd/deals-.service.d/confine.conf" 644
  # Who may reach the server: the nginx of each machine that has one.
  printf '[Service]\nIPAddressAllow=%s\n' "$(setting DEALS_SERVERS | sed -E 's/:[0-9]+//g')" >"$temporary/servers.conf"
  put "$temporary/servers.conf" "$systemd/deals-serve.service.d/servers.conf" 644
  if [[ -n "$changed" ]]; then
    step 'let systemd read the units' systemctl daemon-reload
    restart=yes
  fi
}

ask_server() {
  local host port
  host=$(setting DEALS_HOST)
  port=$(setting DEALS_PORT)
  curl --silent --fail --output /dev/null --retry 20 --retry-delay 1 --retry-connrefused \
    "http://${host:-127.0.0.1}:${port:-8080}/health/live"
}

start_units() {
  local unit wanted='' changed='' keys=/etc/deals/keys/keys.json
  case $role in
    one) wanted='deals-serve.service deals-build.timer' ;;
    builder) wanted=deals-build.timer ;;
    server) wanted='deals-pull.service deals-serve.service' ;;
  esac
  if [[ ! -e "$keys" && "$role" == server ]]; then
    echo "$keys is missing: copy it from the builder, then run this again"
    wanted=deals-pull.service
  elif [[ ! -e "$keys" && -n "$wanted" ]]; then
    step 'make a key for the site, which is shown once:' "$command" keys create --name website
    step 'make a key for operators, which is shown once:' "$command" keys create --name operator --operator
  fi
  for unit in deals-serve.service deals-pull.service deals-build.timer; do
    if [[ " $wanted " != *" $unit "* ]]; then
      if systemctl is-active --quiet "$unit"; then step "stop $unit" systemctl disable --quiet --now "$unit"; fi
    elif ! systemctl is-active --quiet "$unit"; then
      step "start $unit" systemctl enable --quiet --now "$unit"
      changed=yes
    elif [[ -n "$restart" && "$unit" == *.service ]]; then
      step "restart $unit" systemctl restart "$unit"
      changed=yes
    fi
  done
  if [[ -n "$changed" && "$wanted" == *deals-serve* ]]; then step 'wait until the server answers' ask_server; fi
}

make_certificate() {
  install -d -m 700 "${1%/*}" "${2%/*}"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=$host" \
    -keyout "$2" -out "$1" 2>/dev/null
}

# Takes the new site, or leaves the one of before.
reload_nginx() {
  if ! nginx -t -q; then
    rm "$site"
    if [[ -e "$temporary/before" ]]; then cp "$temporary/before" "$site"; fi
    return 1
  fi
  systemctl enable --quiet nginx
  systemctl reload-or-restart nginx
}

install_site() {
  local server servers='' certificate key host changed=''
  host=$(setting DEALS_PUBLIC_URL)
  host=${host#https://}
  certificate=$(setting DEALS_CERTIFICATE)
  key=$(setting DEALS_CERTIFICATE_KEY)
  if [[ ! -e "$certificate" && ! -e "$key" ]]; then
    step "make a self-signed certificate, $certificate" make_certificate "$certificate" "$key"
  fi
  for server in $(setting DEALS_SERVERS); do servers+="  server $server max_conns=256 max_fails=1 fail_timeout=2s;\\n"; done
  sed -E "s|^ +server 127\.0\.0\.1:8080 .*|${servers%\\n}|; s|deals\.example\.com|$host|g
    s|^( +ssl_certificate +).*|\1$certificate;|; s|^( +ssl_certificate_key +).*|\1$key;|" "$here/nginx.conf" >"$temporary/site"
  if [[ -e "$site" ]]; then cp "$site" "$temporary/before"; fi
  put "$temporary/site" "$site" 644
  # Debian's site would answer every other name.
  remove 'remove' /etc/nginx/sites-enabled/default
  if [[ -n "$changed" ]]; then step 'let nginx read its sites' reload_nginx; fi
}

install_all() {
  local program='' restart='' name role
  role=$(setting DEALS_ROLE)
  check_machine
  if ! id deals >/dev/null 2>&1; then
    step 'add the user deals' useradd --system --user-group --home-dir /nonexistent --shell /usr/sbin/nologin deals
  fi
  for name in /etc/deals/{alert,fetch,keys,remote} /srv/deals /var/lib/deals; do
    if [[ ! -d "$name" ]]; then step "make the folder $name" install -d -o deals -g deals -m 700 "$name"; fi
  done
  write_settings
  install_program
  install_units
  start_units
  if [[ "$role" != builder ]]; then
    install_site
  elif [[ -e "$site" ]]; then
    remove 'remove' "$site"
    step 'let nginx read its sites' systemctl reload nginx
  fi
  if ((steps == 0)); then echo "nothing to change: $program is installed"; fi
}

uninstall_all() {
  local unit
  for unit in deals-build.timer deals-{pull,push,build,fetch,serve}.service; do
    if [[ -e "$systemd/$unit" ]]; then step "stop $unit" systemctl disable --quiet --now "$unit"; fi
  done
  remove 'remove' "$site" "$systemd"/deals-* "$command" /opt/deals /opt/deals-*
  if ((steps > 0)); then
    step 'let systemd read what is left' systemctl daemon-reload
    if systemctl is-active --quiet nginx; then step 'let nginx read its sites' systemctl reload nginx; fi
  fi
  if [[ -n "$1" ]]; then
    remove 'delete' /etc/deals /srv/deals /var/lib/deals
    if id deals >/dev/null 2>&1; then step 'remove the user deals' userdel deals; fi
  fi
  if ((steps == 0)); then echo 'nothing to remove'; fi
}

# Read whole before anything is done: an uninstall removes this file.
main() {
  local word uninstall='' purge=''
  for word in "$@"; do
    case $word in
      --dry-run) dry=yes ;;
      --uninstall) uninstall=yes ;;
      --purge) purge=yes ;;
      DEALS_[A-Z]*=*)
        [[ "$word" =~ ^DEALS_[A-Z_]+=[^\'[:cntrl:]]*$ ]] || refuse "${word%%=*}: write a value with an apostrophe to $settings"
        given[${word%%=*}]=${word#*=}
        ;;
      *) refuse "expected --dry-run, --uninstall, --purge or DEALS_NAME=VALUE, got $word" ;;
    esac
  done
  ((EUID == 0)) || refuse 'expected to be run as root'
  [[ -z "$purge" || -n "$uninstall" ]] || refuse '--purge goes with --uninstall'
  if [[ -n "$uninstall" ]]; then uninstall_all "$purge"; else install_all; fi
}

main "$@"
exit
