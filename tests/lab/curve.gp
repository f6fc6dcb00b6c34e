# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."; x="..."; label="..."; unit=1e6; logarithmic=0' curve.gp:
# measured and predicted times over the amount in the column x, divided by unit (figures 7.2 to 7.4,
# 7.10 and 7.11 of the thesis), below them the errors of our predictor and of the thesis's.

set terminal pngcairo size 900,1000 enhanced font "DejaVu Sans,10"
set output png
set datafile separator ","
set datafile columnheaders
set grid
set lmargin 10
set rmargin 4
set key above right
if (logarithmic) set logscale x 2; else set xrange [0:*]
left = logarithmic ? 0.02 : 0
# In "using", x would be a variable of gnuplot's.
amount = x
us(name) = column(name) / 1000
set multiplot layout 3,1 title title noenhanced
set xlabel label
set ylabel "time in us"
set yrange [0:*]
set offsets graph left, graph 0.02, graph 0.05, 0
plot csv using (column(amount) / unit):(us("measured_ns")) with points pt 2 title "measured", \
	csv using (column(amount) / unit):(us("ours_ns")) with points pt 6 ps 0.6 title "ours"
# A step of the virtual clock is 0.256 us.
set yrange [*<-0.3:0.3<*]
set offsets graph left, graph 0.02, graph 0.05, graph 0.05
set ylabel "error of ours in us"
plot csv using (column(amount) / unit):(us("ours_ns") - us("measured_ns")) with points pt 6 ps 0.6 lt 2 title "ours"
set ylabel "error of the thesis's in us"
plot csv using (column(amount) / unit):(us("thesis-sequence_ns") - us("measured_ns")) \
	with points pt 1 ps 0.6 lt 3 title "thesis"
unset multiplot
