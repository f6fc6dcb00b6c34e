# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Pictures and the report page of the lab. Sourced by tests/lab/run.

# plot SCRIPT MACHINE NAME [SETTING]: a picture of an experiment.
plot() {
	local picture=$LAB/$2/$3.$1.png
	"$TOP/vm/enter" gnuplot -e "csv='${LAB#"$TOP"/}/$2/$3.csv'; png='${LAB#"$TOP"/}/$2/$3.$1.png'; \
		title='$2: $3'; ${4-}" "tests/lab/$1.gp" && [[ -s $picture ]]
}

# plot_experiment MACHINE NAME KIND: what its figure in the thesis shows.
plot_experiment() {
	case $2 in
	flush) plot distribution "$1" "$2" ;;
	clear) plot curve "$1" "$2" "x='clear_bytes'; unit=1e6; label='MB cleared'; logarithmic=0" ;;
	swap) plot curve "$1" "$2" "x='drawn_bytes'; unit=1e6; label='MB that were drawn to'; logarithmic=0" ;;
	texture-load)
		plot curve "$1" "$2" "x='copy_bytes'; unit=1e6; label='MB read and written'; logarithmic=0"
		;;
	texture-size)
		plot curve "$1" "$2" "x='texture'; unit=1; label='width of the texture in texels'; logarithmic=1"
		;;
	samples) plot curve "$1" "$2" "x='samples'; unit=1; label='samples of a pixel'; logarithmic=0" ;;
	*)
		plot errors "$1" "$2"
		[[ $3 != draw ]] || plot fragments "$1" "$2"
		;;
	esac
}

report_begin() {
	cat >"$LAB/index.html" <<-'EOF'
		<!DOCTYPE html>
		<meta charset="utf-8">
		<title>Predictions</title>
		<style>td, th { padding: 0 6px; text-align: right } .missed { background: #fcc }</style>
		<h1>Predictions of command groups</h1>
		<p>Times of groups in virtual time on modelled machines; errors are means of absolute errors in
		percent of the time. The thesis is Hua Ma, University of Stuttgart 2014, chapter 7. Below:
		all checks, then each experiment.</p>
		<div id="checks"></div>
	EOF
}

# A section of the report.
report_experiment() {
	local picture
	{
		printf '<h2>%s: %s</h2>\n' "$1" "$2"
		[[ $3 == - ]] || printf '<p>Figure %s of the thesis.</p>\n' "$3"
		printf '<table border=1 cellspacing=0>\n'
		awk -v machine="$1" -v name="$2" 'NR == 1 || index($0, machine "," name ",") == 1' \
			"$LAB/compared.csv" | sed 's|^|<tr><td>|; s|,|</td><td>|g; s|$|</td></tr>|'
		printf '</table>\n'
		printf '<table border=1 cellspacing=0>\n'
		awk -F, -v kind="$4" '$1 == "kind" || $1 == kind { print "<tr><td>" $0 "</td></tr>" }' \
			"$LAB/$1/$2.errors.csv" | sed 's|,|</td><td>|g'
		printf '</table>\n'
		for picture in "$LAB/$1/$2".*.png; do
			printf '<img src="%s/%s">\n' "$1" "${picture##*/}"
		done
	} >>"$LAB/index.html"
}

# The table of checks.
report_end() {
	{
		printf '<h2>Where another predictor has a smaller error</h2>\n<pre>\n%s\n</pre>\n' "$(list_wins)"
		printf '<h2>All checks</h2>\n<table border=1 cellspacing=0>\n'
		awk -F, '$4 !~ /^error of/ { class = $7 == "missed" ? " class=missed" : ""
			print "<tr" class "><td>" $1 "</td><td>" $2 "</td><td>" $3 "</td><td>" $4 \
				"</td><td>" $5 "</td><td>" $6 "</td><td>" $7 "</td></tr>" }' "$LAB/results.csv"
		printf '</table>\n'
	} >>"$LAB/index.html"
}
