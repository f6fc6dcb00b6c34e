# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; label="..."; series="A|B"' curve.gp: cycles over the
# parameter, a curve for each series, both axes logarithmic.

set terminal pngcairo size 720,420 enhanced font "DejaVu Sans,10"
set output png
set datafile separator ","
set xlabel label noenhanced
set ylabel "thousand cycles a job"
set key left top noenhanced
set grid
set logscale xy 2
set format x "%.0f"
set format y "%.6g"
set offsets graph 0.03, graph 0.03, graph 0.3, graph 0.1
count = strstrt(series, "|") ? (strstrt(series[strstrt(series, "|")+1:], "|") ? 3 : 2) : 1
spaced(i) = system(sprintf("echo '%s' | cut -d'|' -f%d", series, i))
plot for [i=1:count] csv using (strcol(1) eq spaced(i) ? $2 : 1/0):($4/1000) \
	every ::1 with linespoints lw 2 pt i+4 title spaced(i)
