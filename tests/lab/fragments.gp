# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."' fragments.gp: measured and predicted fragments of
# each group, and the relative errors (figures 7.5 and 7.6 of the thesis).

set terminal pngcairo size 900,800 enhanced font "DejaVu Sans,10"
set output png
set datafile separator ","
set grid
set multiplot layout 2,1 title title noenhanced
set xlabel "group"
set ylabel "fragments"
plot csv using 0:7 every ::4 with lines lw 2 title "counted", \
	csv using 0:10 every ::4 with lines title "ours", \
	csv using 0:13 every ::4 with lines title "thesis, ratio"
set ylabel "error in percent"
plot csv using 0:(100 * ($10 - $7) / $7) every ::4 with lines title "ours", \
	csv using 0:(100 * ($13 - $7) / $7) every ::4 with lines title "thesis, ratio"
unset multiplot
