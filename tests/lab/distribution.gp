# SPDX-License-Identifier: MIT
#
# gnuplot -e 'csv="..."; png="..."; title="..."' distribution.gp: how often groups took how long, in
# steps of 600 ns (figure 7.1 of the thesis).

set terminal pngcairo size 900,500 enhanced font "DejaVu Sans,10"
set output png
set datafile separator ","
set datafile columnheaders
set grid
set title title noenhanced
stats csv using "measured_ns" nooutput
n = STATS_records * 1.0
step = 0.6
bin(us) = step * floor(us / step) + step / 2
set boxwidth 0.9 * step
set style fill solid 0.5
set xlabel "time in us"
set ylabel "share of groups"
set yrange [0:*]
plot csv using (bin(column("measured_ns") / 1000)):(1 / n) smooth frequency with boxes title "measured", \
	csv using (bin(column("ours_ns") / 1000)):(1 / n) smooth frequency with points pt 6 title "predicted"
