# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# use_backports(), for scripts that source this after lib.sh: the newest kernel and the newest Mesa
# are the backports' of the suite, which the sysroot itself does not use.

# Folder of their package lists
BACKPORTS_LISTS=$CACHE/apt/backports

# apt commands with their options.
APT_GET=(apt-get)
APT_CACHE=(apt-cache)

# Make APT_GET and APT_CACHE use only the backports, on the sysroot's mirror.
use_backports() {
	local options
	MIRROR=$(awk -v suite="$SUITE" '$1 == "deb" && $3 == suite { print $2; exit }' \
		/etc/apt/sources.list.d/*.list)
	mkdir -p "$BACKPORTS_LISTS/lists/partial"
	printf '%s %s %s-backports main\n' deb "$MIRROR" "$SUITE" deb-src "$MIRROR" "$SUITE" \
		>"$BACKPORTS_LISTS/sources.list"
	options=(-o "Dir::Etc::sourcelist=$BACKPORTS_LISTS/sources.list" -o Dir::Etc::sourceparts=-
		-o "Dir::State::lists=$BACKPORTS_LISTS/lists" -o APT::Update::Error-Mode=any)
	APT_GET+=("${options[@]}")
	APT_CACHE+=("${options[@]}")
	"${APT_GET[@]}" -q update >&2 || die "the list of $SUITE-backports cannot be had from $MIRROR"
}
