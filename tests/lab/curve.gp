# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."; x="..."; label="..."; logarithmic=0' curve.gp:
# measured and predicted times over the amount in the column x (figures 7.2 to 7.4, 7.10 and 7.11
# of the thesis), below the errors.

set terminal pngcairo size 900,800 enhanced font "DejaVu Sans,10"
set output png
set datafile separator ","
set datafile columnheaders
set grid
set key top left
if (logarithmic) set logscale x 2
set multiplot layout 2,1 title title noenhanced
set xlabel label
set ylabel "time in us"
set yrange [0:*]
plot csv using x:(column("measured_ns") / 1000) with points pt 2 title "measured", \
	csv using x:(column("ours_ns") / 1000) with points pt 6 ps 0.6 title "ours"
set ylabel "error in us"
set yrange [*:*]
plot csv using x:((column("ours_ns") - column("measured_ns")) / 1000) with points pt 6 ps 0.6 title "ours", \
	csv using x:((column("thesis-sequence_ns") - column("measured_ns")) / 1000) with points pt 1 ps 0.6 title "thesis"
unset multiplot
