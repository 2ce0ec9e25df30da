#!/bin/sh
# make test-fresh: a bare Debian 12 in a folder, with git and make, a clone of what is committed here,
# and the two commands of the README in it: run.sh [FOLDER], by default build/fresh. The closing line
# is "fresh: N passed, N failed, N skipped".
#
# All mounts are in a namespace of their own, and go with its processes, however this ends. Packages
# and the bare system stay in FOLDER for the next time.
set -eu
here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")
mkdir -p "${1:-$source/build/fresh}"
folder=$(realpath "${1:-$source/build/fresh}")
release=bookworm
root=$folder/root
base=$folder/$release.tar

skip() {
	echo "SKIPPED test-fresh: $1"
	echo "fresh: 0 passed, 0 failed, 1 skipped"
	exit 0
}

[ "$(id -u)" = 0 ] || skip "it makes a Debian to chroot into, which takes root: sudo make test-fresh"
unshare --mount --pid --fork true 2>/dev/null || skip "there are no namespaces of mounts and processes here"
maker=$(command -v mmdebstrap || command -v debootstrap) || skip "neither mmdebstrap nor debootstrap is here"
if git -C "$source" status --porcelain 2>/dev/null | grep -q .; then
	echo "test-fresh: changes that are not committed are not in the clone"
fi

# The mirrors that this machine uses, if it is a Debian.
mirror_of() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 2>/dev/null |
		grep -E "/$1/?\$" | head -n 1 | sed 's|/$||'
}
mirror=$(mirror_of debian)
security=$(mirror_of debian-security)
mirror=${mirror:-http://deb.debian.org/debian}
security=${security:-http://deb.debian.org/debian-security}
packages=git,make
case $mirror$security in *https:*) packages=$packages,ca-certificates ;; esac

make_base() {
	echo "test-fresh: making a bare Debian 12 from $mirror"
	printf 'deb %s main\n' "$mirror $release" "$mirror $release-updates" \
		"$security $release-security" > "$folder/sources.list"
	rm -rf "$folder/bare"
	case $maker in
	*mmdebstrap)
		mmdebstrap --quiet --format=tar --variant=minbase --include=$packages $release "$base.part" \
			"$folder/sources.list"
		;;
	*)
		debootstrap --variant=minbase --include=$packages $release "$folder/bare" "$mirror" \
			> "$folder/debootstrap.log" || { cat "$folder/debootstrap.log"; return 1; }
		cp "$folder/sources.list" "$folder/bare/etc/apt/sources.list"
		tar --numeric-owner -C "$folder/bare" -cf "$base.part" .
		rm -rf "$folder/bare"
		;;
	esac
	mv "$base.part" "$base"
}

# Proxies and certificate authorities that this machine needs for its way to the mirrors.
lend_network() {
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	echo "127.0.0.1 localhost" > "$root/etc/hosts"
	apt-config dump 2>/dev/null | grep -E '^Acquire::(http|https)::Proxy' \
		> "$root/etc/apt/apt.conf.d/90proxy" || true
	mkdir -p "$root/usr/local/share/ca-certificates"
	[ ! -e /etc/ssl/certs/ca-certificates.crt ] || awk -v folder="$root/usr/local/share/ca-certificates" '
		/-----BEGIN CERTIFICATE-----/ { file = folder "/host-" ++count ".crt" }
		{ print > file }
		/-----END CERTIFICATE-----/ { close(file) }' /etc/ssl/certs/ca-certificates.crt
}

exec 9> "$folder/lock"
flock --nonblock 9 || {
	echo "test-fresh: another one runs in $folder" >&2
	exit 1
}
rm -rf "$root"
mkdir -p "$root" "$folder/packages/partial" "$folder/npm"
namespace=""

# Ends what runs in the bare system, and removes it. Under sudo, `make clean` is to be able to delete
# what stays.
end() {
	[ -z "$namespace" ] || kill -KILL "$namespace" 2>/dev/null || true
	for _ in $(seq 100); do
		rm -rf "$root" 2>/dev/null && break
		sleep 0.1 # its processes are still ending
	done
	[ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:$SUDO_GID" "$folder"
}
trap end EXIT
trap 'exit 130' INT TERM HUP
if ! [ -e "$base" ] || [ -n "$(find "$base" -mtime +7)" ]; then
	make_base
fi
tar --numeric-owner -C "$root" -xf "$base"
lend_network
git -C "$source" bundle create --quiet "$root/posed.bundle" HEAD
cp "$here/inside.sh" "$root/inside.sh"

# The network is this machine's, where another daemon may have the port of the README.
listen=""
if grep -qs ' [0-9A-F]*:2198 [0-9A-F]*:0000 0A ' /proc/net/tcp /proc/net/tcp6; then
	listen=127.0.0.1:0
	echo "test-fresh: port 8600 is taken here: make run is to find a free one"
fi

# In the background, so that a signal is acted upon at once; but with SIGINT as in the foreground.
# Devices by name: those of a GPU are not for a bare system.
# shellcheck disable=SC2016
env --default-signal setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child sh -euc '
	root=$1 folder=$2 listen=$3
	mount -t proc proc "$root/proc"
	mount -t sysfs -o ro sysfs "$root/sys"
	mount -t tmpfs -o mode=755 dev "$root/dev"
	for name in null zero full random urandom tty; do
		touch "$root/dev/$name"
		mount --bind "/dev/$name" "$root/dev/$name"
	done
	mkdir "$root/dev/pts" "$root/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
	mount -t tmpfs shm "$root/dev/shm"
	ln -s pts/ptmx "$root/dev/ptmx"
	ln -s /proc/self/fd "$root/dev/fd"
	mkdir -p "$root/root/.npm"
	mount --bind "$folder/packages" "$root/var/cache/apt/archives"
	mount --bind "$folder/npm" "$root/root/.npm"
	status=0
	env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		${no_proxy:+no_proxy="$no_proxy"} ${V:+V="$V"} ${listen:+POSED_LISTEN="$listen"} \
		chroot "$root" sh /inside.sh || status=$?
	exit $status' sh "$root" "$folder" "$listen" < /dev/null 9>&- &
namespace=$!
status=0
wait "$namespace" || status=$?
namespace=""
cp "$root"/root/*.log "$folder" 2>/dev/null || true
echo "test-fresh: what was said is in $folder/*.log"
exit $status
