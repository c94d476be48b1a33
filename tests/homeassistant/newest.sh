#!/bin/sh
# Install the newest Home Assistant that is tested, if it is not yet, so that FOLDER/hass starts it:  newest.sh FOLDER PYTHON
#
# It needs Python 3.13.2. Where PYTHON is older, that of Debian trixie is used, which root can have anywhere: debootstrap
# puts its files into FOLDER/trixie, and what runs there sees its /usr in the place of the machine's, and nothing else
# that is different. That is so for these processes alone, and ends with them.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
python=$2
cd "$(dirname "$0")"
if [ -e "$folder/.installed" ] && [ -z "$(find requirements*.txt newest.sh -newer "$folder/.installed")" ]; then
    exit 0
fi
trixie="$folder/trixie"
packages=python3-venv,python3-dev,g++,libc6-dev,ca-certificates

fail() {
    echo "$1" >&2
    exit 1
}

inside() {
    # shellcheck disable=SC2016
    unshare --mount --propagation private sh -c 'mount --bind "$0/usr" /usr && exec "$@"' "$trixie" "$@"
}

if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 13, 2))'; then
    within= start=
else
    [ "$(id -u)" = 0 ] || fail "There is no Python 3.13.2, and only root can have that of Debian trixie."
    command -v debootstrap >/dev/null || fail "There is no Python 3.13.2, and no debootstrap: apt-get install debootstrap"
    [ /lib -ef /usr/lib ] || fail "There is no Python 3.13.2, and /lib is no part of /usr here."
    if [ ! -e "$trixie/complete" ]; then
        rm -rf "$trixie"
        debootstrap --variant=minbase --include="$packages" trixie "$trixie" >"$folder/debootstrap.log" 2>&1 ||
            fail "Debian trixie could not be had: $(tail -n 1 "$folder/debootstrap.log")"
        touch "$trixie/complete"
    fi
    within=inside python=/usr/bin/python3
    start="unshare --mount --propagation private sh -c 'mount --bind \"\$0\" /usr && exec \"\$@\"' '$trixie/usr'"
fi
rm -rf "$folder/venv"
$within "$python" -m venv "$folder/venv"
$within "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement requirements-newest.txt
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$start" "$folder/venv/bin/hass" >"$folder/hass"
chmod +x "$folder/hass"
touch "$folder/.installed"
