#!/usr/bin/env bash
# Downloads feeds and exports so that a build never meets half a file:
#
#   fetch-sources.sh [--quiet] <list> <folder>
#
# Each file is fetched to another name in its own folder, checked, and renamed. What could not be fetched, or is not what
# it should be, leaves the file of before as it is, and the other sources are fetched all the same.
#
# <list> has a line for each file; sources.list explains it. Addresses and passwords are in it and in the files that it
# names, and never in a command line or in the output; only the owner may read them.
#
# Exit status: 0 each file is there, new or unchanged; 1 one or more could not be fetched; 2 the list or the command line
# is wrong, and nothing was fetched; 75 another fetch to this folder is going on.
#
# From the environment: DEALS_FETCH_PROTO what may be spoken (=https,sftp,rclone), DEALS_FETCH_SECONDS for a file, with all
# tries (600), DEALS_FETCH_TRIES (3), DEALS_FETCH_WAIT seconds between them (20).
set -uo pipefail
export LC_ALL=C

proto=${DEALS_FETCH_PROTO:-=https,sftp,rclone}
seconds=${DEALS_FETCH_SECONDS:-600}
tries=${DEALS_FETCH_TRIES:-3}
wait=${DEALS_FETCH_WAIT:-20}

say() { if [[ -z "$quiet" ]]; then printf '%s\n' "$*"; fi; }
complain() { printf '%s\n' "$*" >&2; }
refuse() {
  complain "$*"
  exit 2
}

quiet=
if [[ "${1:-}" == --quiet ]]; then
  quiet=yes
  shift
fi
[[ $# == 2 ]] || refuse 'usage: fetch-sources.sh [--quiet] <list> <folder>'
list=$1
folder=$2
[[ -r "$list" ]] || refuse "$list: expected a list of sources that this user may read, found none"
[[ -d "$folder" ]] || refuse "$folder: expected a folder, found none"
# The last two digits are those of the group and of everybody.
mode=$(stat -Lc %a "$list")
[[ "$mode" == *00 ]] || refuse "$list: expected that only its owner may read it, found mode $mode; chmod 600 $list"

# What is remembered between two fetches: the lock, and the tag under which a server knows what we have.
memory="$folder/.fetch"
mkdir -p "$memory" || exit 1
exec 9>"$memory/lock" || exit 1
if ! flock --nonblock 9; then
  complain "$folder: another fetch is going on"
  exit 75
fi

new= # the file being fetched; removed however this ends
trap 'rm -f "$new" "$new.tag" "$new.cookies"' EXIT
trap 'exit 1' HUP INT TERM

# Settings of curl besides the address: on stdin, because every user can see a command line.
quoted() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# One try. $1: address, $2: where to, $3: most megabytes, $4: the file that we have, or nothing, $5: its tag, $6: more
# settings of curl, or those of rclone, $7: settings of curl for the login. Writes the HTTP status; the exit status is
# that of the program.
download() {
  local address=$1 to=$2 most=$3 have=$4 tag=$5 settings=$6 login=$7
  (
    # A server that states no length, or another one, must not fill the disk. curl then says that it cannot write.
    trap '' XFSZ
    ulimit -f $((most * 1024))
    if [[ "$address" == rclone://* ]]; then
      printf 000
      exec timeout $((seconds + 5)) rclone --config "$settings" --contimeout 20s --timeout 60s --max-duration "${seconds}s" \
        --retries "$tries" --retries-sleep "${wait}s" copyto "source:${address#rclone://}" "$to"
    fi
    speak=(--disable --silent --show-error --fail --globoff --proto "${proto/,rclone/}" --proto-redir "${proto%%,*}" --location
      --max-redirs 3 --connect-timeout 20 --max-time "$seconds" --speed-limit 1000 --speed-time 60)
    if [[ -n "$login" ]]; then
      umask 077
      curl "${speak[@]}" --config "$login" --output /dev/null --cookie-jar "$to.cookies" || exit
    fi
    {
      printf 'url = %s\noutput = %s\netag-save = %s\n' "$(quoted "$address")" "$(quoted "$to")" "$(quoted "$to.tag")"
      if [[ -n "$have" ]]; then
        # Not --time-cond, by which curl passes over an answer that is old for it, as if it were empty.
        printf 'header = "If-Modified-Since: %s"\n' "$(date -u -r "$have" '+%a, %d %b %Y %H:%M:%S GMT')"
        if [[ -s "$tag" ]]; then printf 'etag-compare = %s\n' "$(quoted "$tag")"; fi
      fi
    } | curl "${speak[@]}" --config - ${settings:+--config "$settings"} ${login:+--cookie "$to.cookies"} --remote-time \
      --max-filesize $((most * 1000000)) --write-out '%{http_code}'
  )
}

# Whether it is worth another try. $1: exit status of curl, $2: HTTP status.
may_pass() {
  case $1 in
    22) [[ "$2" =~ ^(408|425|429|5..)$ ]] ;;
    # No address, no connection, cut short, too slow, nothing sent, broken off.
    5 | 6 | 7 | 16 | 18 | 28 | 35 | 52 | 55 | 56 | 92 | 95 | 96) true ;;
    *) false ;;
  esac
}

# What is in $1, unpacked as $2 is called. What takes longer than two minutes is no feed.
unpack() {
  case $2 in
    *.gz) timeout 120 gzip -dcq <"$1" ;;
    *.zip) timeout 120 unzip -p "$1" ;;
    *) cat "$1" ;;
  esac 2>/dev/null
}

# Says whether $1, unpacked as $2 is called, is whole, and no more than $3 bytes.
find_packing_fault() {
  local bytes status kind
  # A bomb is unpacked no further than that.
  bytes=$(unpack "$1" "$2" | head -c $(($3 + 1)) | wc -c; exit "${PIPESTATUS[0]}")
  status=$?
  if ((bytes > $3)); then
    echo "it unpacks to more than 200 times its $(stat -c %s "$1") bytes"
  elif ((status == 124)); then
    echo 'it takes more than two minutes to unpack'
  elif ((status != 0)); then
    kind=${2##*.}
    echo "it is no ${kind/gz/gzip} file, or not whole"
  fi
}

# The first line of $1, unpacked as $2 is called, without a byte order mark; no more than 64 KB of it.
first_line() {
  unpack "$1" "$2" | head -c 65536 2>/dev/null | head -n 1 | tr -d '\000\r' | sed '1s/^\xef\xbb\xbf//'
}

# Says what is wrong with what was fetched, or nothing. $1: the file, $2: its name when it is taken, $3: expect,
# $4: least percent of the file of before.
find_fault() {
  local file=$1 to=$2 expect=$3 least=$4 size most before line fault
  size=$(stat -c %s "$file")
  if ((size == 0)); then
    echo 'it is empty'
    return
  fi
  case $to in
    *.gz | *.zip)
      if [[ "$to" == *.zip ]] && ! command -v unzip >/dev/null; then
        echo 'unzip, which is to check it, is not installed'
        return
      fi
      # The bounds of the build: 200 times its size, once that is over 16 MB.
      most=$((size * 200 > 16000000 ? size * 200 : 16000000))
      fault=$(find_packing_fault "$file" "$to" "$most")
      if [[ -n "$fault" ]]; then
        echo "$fault"
        return
      fi
      ;;
  esac
  line=$(first_line "$file" "$to")
  shopt -s nocasematch
  if [[ "$expect" != '<'* && "$line" =~ ^[[:space:]]*\<(!doctype[[:space:]]+html|html|head|body|\!--) ]]; then
    echo 'it is a web page, perhaps one that tells of an error'
    shopt -u nocasematch
    return
  fi
  shopt -u nocasematch
  if [[ "$line" != *"$expect"* ]]; then
    printf 'its first line does not hold %s\n' "$expect"
    return
  fi
  case $to in
    # One that was cut short where the server said nothing of its length.
    *.json)
      [[ "$(tail -c 256 "$file" | tr -d '[:space:]')" =~ [\]\}]$ ]] || { echo 'it does not end like JSON'; return; }
      ;;
  esac
  if [[ -s "$folder/$to" ]]; then
    before=$(stat -Lc %s "$folder/$to")
    if ((size * 100 < before * least)); then
      printf 'it has %d bytes, less than %d percent of the %d of before\n' "$size" "$least" "$before"
    fi
  fi
}

# Tells the downloaded file from one that has replaced it.
stamp_of() { stat -Lc '%Y %s' "$1"; }

# Fetches one file. Never ends the script: what goes wrong is said, and is the return status.
fetch() {
  local to=$1 address=$2 expect=$3 least=$4 most=$5 settings=$6 login=$7
  local target="$folder/$to" have='' known status http fault try
  known="$memory/${to//\//%}"
  mkdir -p "$(dirname "$target")" || return 1
  # What a fetch that was killed has left.
  rm -f "$(dirname "$target")/.$(basename "$target").new-"*
  new=$(mktemp "$(dirname "$target")/.$(basename "$target").new-XXXXXXXX") || return 1
  # Only for the file that was downloaded last: one that was changed since is downloaded again.
  if [[ -s "$target" && -s "$known.stamp" && "$(<"$known.stamp")" == "$(stamp_of "$target")" ]]; then have=$target; fi
  local until=$((SECONDS + seconds)) seconds
  for ((try = 1; ; try++)); do
    seconds=$((until - SECONDS)) # for this try: what is left
    : >"$new"
    http=$(download "$address" "$new" "$most" "$have" "$known.tag" "$settings" "$login" 2>"$memory/said")
    status=$?
    # rclone tries again by itself.
    if ((status == 0 || try >= tries || SECONDS + wait >= until)) || [[ "$address" == rclone://* ]] || ! may_pass "$status" "$http"; then break; fi
    sleep "$wait"
  done
  if ((status != 0)); then
    # The line that says why: the first of curl, which goes on with advice, and the last of rclone. An address can hold a
    # password, and a server's own words could move a terminal.
    fault=$(sed -E 's|[a-z]+://[^ ]*|<address>|g; s|^[0-9]{4}/[0-9/]+ [0-9:]+ |rclone: |; s|[^ -~]|?|g' "$memory/said" |
      awk '/^curl: / && !first { first = $0 } /^rclone: / { last = $0 } END { print first last }')
    complain "$to: not fetched: ${fault:-it ended with $status}; what was there stays"
    return 1
  fi
  if [[ "$http" == 304 ]]; then
    say "$to: unchanged"
    return 0
  fi
  if [[ "$http" != 2?? && "$http" != 000 ]]; then
    complain "$to: not taken: HTTP status $http; what was there stays"
    return 1
  fi
  fault=$(find_fault "$new" "$to" "$expect" "$least")
  if [[ -n "$fault" ]]; then
    complain "$to: not taken: $fault; what was there stays"
    return 1
  fi
  say "$to: $(stat -c %s "$new") bytes"
  # Interrupted between the two, there is a file without a stamp, and it is fetched again.
  rm -f "$known.stamp" "$known.tag"
  chmod 644 "$new" && sync "$new" && mv -f "$new" "$target" || return 1
  if [[ -s "$new.tag" ]]; then mv -f "$new.tag" "$known.tag"; fi
  stamp_of "$target" >"$known.stamp"
}

# The list is read whole before anything is fetched: a slip in its last line is found first.
home=$(dirname "$list")
lines=()
number=0
while IFS= read -r line || [[ -n "$line" ]]; do
  number=$((number + 1))
  line=${line%$'\r'}
  if [[ "$line" =~ ^[[:space:]]*(#|$) ]]; then continue; fi
  read -ra words <<<"$line"
  to=${words[0]} address=${words[1]:-} expect='' least=50 most=4000 settings='' login=''
  here="$list:$number"
  [[ "$to" =~ ^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$ ]] ||
    refuse "$here: expected a path within the folder such as feeds/house/deals.csv, got $to"
  [[ "$address" =~ ^[a-z]+:// ]] || refuse "$here: expected an address after $to"
  scheme=${address%%:*}
  [[ ",${proto#=}," == *",$scheme,"* ]] ||
    refuse "$here: expected an address that begins with https://, sftp:// or rclone://, got $scheme://; others can be read and changed on the way"
  for word in "${words[@]:2}"; do
    case $word in
      expect=?*) expect=${word#expect=} ;;
      least=*) least=${word#least=} ;;
      most=*) most=${word#most=} ;;
      curl=* | rclone=*) settings=${word#*=} ;;
      login=*) login=${word#login=} ;;
      *) refuse "$here: expected expect=, least=, most=, curl=, rclone= or login=, got ${word%%=*}" ;;
    esac
  done
  [[ "$least" =~ ^[0-9]{1,3}$ ]] || refuse "$here: least: expected a percentage from 0 to 100"
  [[ "$most" =~ ^[1-9][0-9]{0,5}$ ]] || refuse "$here: most: expected megabytes"
  for name in settings login; do
    declare -n file=$name
    if [[ -z "$file" ]]; then continue; fi
    [[ "$file" == /* ]] || file="$home/$file"
    [[ -r "$file" ]] || refuse "$here: ${file##*/}: expected a file of settings that this user may read"
    [[ "$(stat -Lc %a "$file")" == *00 ]] || refuse "$here: ${file##*/}: expected a file that only its owner may read; chmod 600"
  done
  case $scheme in
    rclone) [[ -n "$settings" ]] || refuse "$here: rclone: expected a file with a section [source]" ;;
    # Without it curl takes any server for the right one where this user knows none.
    sftp)
      grep -qs '^hostpubsha256' "$settings" ||
        refuse "$here: curl: expected a line hostpubsha256 = with the fingerprint of the server"
      ;;
  esac
  lines+=("$to" "$address" "$expect" "$least" "$most" "$settings" "$login")
done <"$list"
((${#lines[@]} > 0)) || refuse "$list: expected a line for each file, found none"

failed=0
for ((at = 0; at < ${#lines[@]}; at += 7)); do
  fetch "${lines[@]:at:7}" || failed=1
  rm -f "$new" "$new.tag" "$new.cookies"
done
exit "$failed"
