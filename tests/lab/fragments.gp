# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."' fragments.gp: counted and predicted fragments of
# each group, and the relative errors of our predictor and of the thesis's (figures 7.5 and 7.6 of the
# thesis). Groups whose counts were read together with another's are gaps; a point shows one between two.

set terminal pngcairo size 900,1000 enhanced font "DejaVu Sans,10"
set output png
set datafile separator ","
set datafile columnheaders
set grid
set lmargin 12
set rmargin 4
set key above right
# Where the field is empty, NaN interrupts the line; without it gnuplot draws on from the value before.
counted(dummy) = strlen(strcol("fragments")) ? real(strcol("fragments")) : NaN
percent(name) = counted(0) > 0 ? 100 * (column(name) / counted(0) - 1) : NaN
set multiplot layout 3,1 title title noenhanced
set xlabel "group"
set ylabel "fragments"
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
plot csv using 0:"thesis-sequence_fragments" with lines lt 3 title "thesis", \
	csv using 0:(counted(0)) with linespoints lt 1 lw 2 pt 7 ps 0.3 title "counted", \
	csv using 0:"ours_fragments" with lines lt 2 title "ours"
set offsets 0, 0, graph 0.05, graph 0.05
set yrange [*<-0.1:0.1<*]
set ylabel "error of ours in percent"
plot csv using 0:(percent("ours_fragments")) with linespoints lt 2 pt 7 ps 0.3 title "ours"
set ylabel "error of the thesis's in percent"
plot csv using 0:(percent("thesis-sequence_fragments")) with linespoints lt 3 pt 7 ps 0.3 title "thesis"
unset multiplot
