#!/bin/sh
# Makes a man page of what a program says of itself: man.sh NAME PROGRAM "what it is". The page has
# the text of --help as it is, so that it cannot say anything else.
set -eu
name=$1 program=$2 purpose=$3
version=$("$program" --version | cut -d ' ' -f 2)

printf '.TH %s 1 "" "posed %s" "User Commands"\n' "$(echo "$name" | tr a-z A-Z)" "$version"
printf '.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n' "$name" "$purpose"
# Dashes are to be copied as such; a line that starts with "." or "'" is text.
"$program" --help | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"
printf '.fi\n.SH SEE ALSO\n'
case $name in
posed) printf '.BR pose (1)\n' ;;
*) printf '.BR posed (1)\n' ;;
esac
