# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; label="..."; series="A|B"; relative=0' curve.gp: cycles over
# the parameter, a curve for each series, both axes logarithmic. With relative=1 the
# column "relative", both axes linear.

set terminal pngcairo size 720,420 enhanced font "DejaVu Sans,10"
set output png
set datafile separator ","
set xlabel label noenhanced
set key left top noenhanced
set grid
set offsets graph 0.03, graph 0.03, graph 0.3, graph 0.1
set format x "%.0f"
set format y "%.6g"
if (relative) {
	set ylabel "cycles over those of the first point"
	set xrange [0:*] # with offsets the axis would begin at -200
} else {
	set ylabel "thousand cycles"
	set logscale xy 2
}
# Number of series, and the name of one.
bars(text) = strstrt(text, "|") ? 1 + bars(text[strstrt(text, "|") + 1:]) : 0
name(i) = system(sprintf("echo '%s' | cut -d'|' -f%d", series, i))
plot for [i = 1:bars(series) + 1] csv using (strcol(1) eq name(i) ? $2 : 1/0):\
	(relative ? $5 : $4 / 1000) every ::1 with linespoints lw 2 pt i + 4 title name(i)
