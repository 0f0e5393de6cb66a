#!/bin/sh
# Make a backup of the Compose store in a folder, check it, and keep the latest KEEP (14) of them.
#   deploy/backup/backup.sh FOLDER
set -eu
umask 077
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
keep=${KEEP:-14}
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

name=simonrace-$(date -u +%Y%m%dT%H%M%SZ).rdb
part=$folder/.$name.part
trap 'rm -f "$part"; docker compose exec -T store rm -f /data/backup.rdb' EXIT
trap 'exit 1' HUP INT TERM

docker compose exec -T store sh -c 'valkey-cli --rdb /data/backup.rdb && valkey-check-rdb /data/backup.rdb'
docker compose cp store:/data/backup.rdb "$part"
original=$(docker compose exec -T store sha256sum /data/backup.rdb)
copy=$(sha256sum "$part")
if [ "${original%% *}" != "${copy%% *}" ]; then
    echo "$0: the copy of the backup differs from the original; is the disk full?" >&2
    exit 1
fi
chmod 600 "$part"
mv "$part" "$folder/$name"
echo "$folder/$name"

# Only now that there is a new one.
find "$folder" -maxdepth 1 -name 'simonrace-*.rdb' | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
    rm -f "$old"
done
