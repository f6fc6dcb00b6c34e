# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."' errors.gp: above the measured and the predicted
# time of each group, below the share of groups whose error is at most so large, for our
# predictor, the thesis's and two others (figures 7.7 to 7.9 of the thesis).

set datafile separator ","
set datafile columnheaders
stats csv using "measured_ns" nooutput
n = STATS_records * 1.0
us(name) = column(name) / 1000
miss(name) = abs(column(name) - column("measured_ns")) / 1000
set terminal pngcairo size 900,800 enhanced font "DejaVu Sans,10"
set output png
set grid
set multiplot layout 2,1 title title noenhanced
set xlabel "group"
set ylabel "time in us"
set yrange [0:*]
plot csv using 0:(us("measured_ns")) with lines lw 2 title "measured", \
	csv using 0:(us("ours_ns")) with lines title "ours", \
	csv using 0:(us("thesis-sequence_ns")) with lines title "thesis"
set xlabel "absolute error in us"
set ylabel "share of groups"
set yrange [0:1.02]
set key bottom right
plot csv using (miss("ours_ns")):(1 / n) smooth cumulative lw 2 title "ours", \
	csv using (miss("thesis-sequence_ns")):(1 / n) smooth cumulative title "thesis", \
	csv using (miss("last-frame_ns")):(1 / n) smooth cumulative title "last frame", \
	csv using (miss("regression_ns")):(1 / n) smooth cumulative title "regression"
unset multiplot
