#!/bin/sh
# Prints the folder to put first on PATH so that `node` is Debian 12's: nothing where the machine's
# own is. Elsewhere unpacks Debian's packages beside the machine's, which may be newer and let
# through what users of Debian cannot run.
set -eu
if dpkg-query -W -f '${Version}' nodejs 2>/dev/null | grep -q '^18\..*deb12'; then
	exit 0
fi
machine_node=$(command -v node)
machine_npm=$(command -v npm)

folder=${XDG_CACHE_HOME:-$HOME/.cache}/posed/debian_node
modules=/usr/share/nodejs
packages="nodejs libnode108 node-acorn node-busboy node-cjs-module-lexer node-undici node-xtend"
for library in libbrotli1 libc-ares2 libicu72 libnghttp2-14 libuv1; do
	dpkg-query -W -f '${db:Status-Status}' $library 2>/dev/null | grep -qx installed ||
		packages="$packages $library"
done

if ! [ -x "$folder/bin/node" ]; then
	mkdir -p "$folder"
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	# shellcheck disable=SC2046,SC2086
	(cd "$scratch" && apt-get download -q -o APT::Sandbox::User="$(id -un)" \
		$(printf '%s/bookworm ' $packages)) >&2
	for package in "$scratch"/*.deb; do
		dpkg-deb -x "$package" "$folder"
	done
	mkdir -p "$folder/bin"
	# npm stays the machine's, which need not run on Debian's Node.
	cat > "$folder/bin/npm" <<-END
		#!/bin/sh
		PATH=$(dirname "$machine_node"):\$PATH exec $machine_npm "\$@"
	END
	cat > "$folder/bin/node" <<-END
		#!/bin/sh
		LD_LIBRARY_PATH=$folder/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null ||
			gcc -print-multiarch) exec $folder/usr/bin/node "\$@"
	END
	chmod +x "$folder/bin/npm" "$folder/bin/node"
fi

# Debian's Node reads some of its own modules from there, and does not start without them.
if ! [ -e $modules ]; then
	as_root=""
	[ "$(id -u)" = 0 ] || as_root=sudo
	$as_root ln -sfn "$folder$modules" $modules
fi
"$folder/bin/node" --version | grep -q '^v18\.' || {
	echo "debian_node.sh: $folder/bin/node does not run" >&2
	exit 1
}
echo "$folder/bin"
