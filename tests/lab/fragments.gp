# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."' fragments.gp: counted and predicted fragments of
# each group, and the relative errors (figures 7.5 and 7.6 of the thesis). Groups whose counts were
# read together with another's are gaps.

set terminal pngcairo size 900,800 enhanced font "DejaVu Sans,10"
set output png
set datafile separator ","
set datafile columnheaders
set grid
percent(name) = column("fragments") > 0 ? \
	100 * (column(name) - column("fragments")) / column("fragments") : NaN
set multiplot layout 2,1 title title noenhanced
set xlabel "group"
set ylabel "fragments"
plot csv using 0:"thesis-sequence_fragments" with lines lt 3 title "thesis", \
	csv using 0:"fragments" with lines lt 1 lw 2 title "counted", \
	csv using 0:"ours_fragments" with lines lt 2 title "ours"
set ylabel "error in percent"
set yrange [-3:3]
plot csv using 0:(percent("thesis-sequence_fragments")) with lines lt 3 title "thesis", \
	csv using 0:(percent("ours_fragments")) with lines lt 2 title "ours"
unset multiplot
