# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."' errors.gp: above the measured and the predicted
# time of each group, below the share of groups whose error is at most so large, for our
# predictor, the thesis's and the last frame's value (figures 7.7 and 7.8 of the thesis).

set datafile separator ","
stats csv using 4 every ::4 nooutput
n = STATS_records * 1.0
set terminal pngcairo size 900,800 enhanced font "DejaVu Sans,10"
set output png
set grid
set multiplot layout 2,1 title title noenhanced
set xlabel "group"
set ylabel "time in us"
plot csv using 0:($4 / 1000) every ::4 with lines lw 2 title "measured", \
	csv using 0:($8 / 1000) every ::4 with lines title "ours", \
	csv using 0:($11 / 1000) every ::4 with lines title "thesis"
set xlabel "absolute error in us"
set ylabel "share of groups"
set yrange [0:1.02]
set key bottom right
plot csv using (abs($8 - $4) / 1000):(1 / n) every ::4 smooth cumulative lw 2 title "ours", \
	csv using (abs($11 - $4) / 1000):(1 / n) every ::4 smooth cumulative title "thesis, ratio", \
	csv using (abs($26 - $4) / 1000):(1 / n) every ::4 smooth cumulative title "last frame", \
	csv using (abs($29 - $4) / 1000):(1 / n) every ::4 smooth cumulative title "regression"
unset multiplot
