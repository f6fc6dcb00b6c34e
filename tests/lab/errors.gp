# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."' errors.gp: the measured and the predicted time of
# each group; the error of our predictor; the share of groups whose error is at most so large, for our
# predictor, the thesis's and two others (figures 7.7 to 7.9 of the thesis).

set datafile separator ","
set datafile columnheaders
stats csv using "measured_ns" nooutput
n = STATS_records * 1.0
us(name) = column(name) / 1000
# Errors differ by orders of magnitude, so their axis is logarithmic; it begins with this one.
smallest = 0.01
miss(name) = abs(us(name) - us("measured_ns"))
shown(name) = miss(name) > smallest ? miss(name) : smallest
set terminal pngcairo size 900,1100 enhanced font "DejaVu Sans,10"
set output png
set grid
set lmargin 10
set rmargin 4
set key above right
set multiplot layout 3,1 title title noenhanced
set offsets 0, 0, graph 0.05, 0
set xlabel "group"
set ylabel "time in us"
set yrange [0:*]
plot csv using 0:(us("thesis-sequence_ns")) with lines lt 3 title "thesis", \
	csv using 0:(us("measured_ns")) with lines lt 1 lw 2 title "measured", \
	csv using 0:(us("ours_ns")) with lines lt 2 title "ours"
set offsets 0, 0, graph 0.05, graph 0.05
set ylabel "error of ours in us"
# A step of the virtual clock is 0.256 us.
set yrange [*<-0.3:0.3<*]
plot csv using 0:(us("ours_ns") - us("measured_ns")) with lines lt 2 title "ours"
unset offsets
set xlabel sprintf("absolute error in us (%g: at most)", smallest)
set ylabel "share of groups"
set yrange [0:1.02]
set xrange [smallest:*]
set logscale x
set format x "%g"
plot csv using (shown("ours_ns")):(1 / n) smooth cumulative with steps lt 2 lw 2 title "ours", \
	csv using (shown("thesis-sequence_ns")):(1 / n) smooth cumulative with steps lt 3 title "thesis", \
	csv using (shown("last-frame_ns")):(1 / n) smooth cumulative with steps lt 4 title "last frame", \
	csv using (shown("regression_ns")):(1 / n) smooth cumulative with steps lt 7 title "regression"
unset multiplot
