# SPDX-License-Identifier: MIT
#
# Times of frames, one panel for each scheduler. Variables: png; fifo, ours: CSV files.

set terminal pngcairo size 1600,900 font 'DejaVu Sans,10'
set output png
set datafile separator comma
set multiplot layout 2,1 margins 0.06,0.98,0.07,0.9 spacing 0.1 title \
	'From the begin of a frame to its end on the GPU; crosses are late frames'
set ylabel 'ms'
set yrange [0:*]
set grid ytics
set key at graph 1, graph 1.13 right top horizontal
set arrow 1 from graph 0, first 16.67 to graph 1, first 16.67 nohead dt 2 lc rgb '#1f77b4'
set arrow 2 from graph 0, first 33.33 to graph 1, first 33.33 nohead dt 2 lc rgb '#ff7f0e'

of(name, wanted, time) = name eq wanted ? time : NaN
late(name, wanted, time, is) = name eq wanted && is == 1 ? time : NaN

do for [panel = 0:1] {
	file = panel ? ours : fifo
	set title panel ? 'budgets and predictions' : 'FIFO'
	set xlabel panel ? 'ms' : ''
	plot file using 2:(of(strcol(1), 'game', $3)) with points pt 7 ps 0.5 lc rgb '#bbbbbb' title 'game', \
		file using 2:(of(strcol(1), 'map', $3)) with points pt 7 ps 0.6 lc rgb '#ff7f0e' title 'map (30 Hz)', \
		file using 2:(of(strcol(1), 'cluster', $3)) with points pt 7 ps 0.6 lc rgb '#1f77b4' title 'cluster (60 Hz)', \
		file using 2:(late(strcol(1), 'cluster', $3, $4)) with points pt 2 ps 1.2 lc rgb '#d62728' title 'late', \
		file using 2:(late(strcol(1), 'map', $3, $4)) with points pt 2 ps 1.2 lc rgb '#d62728' notitle
}
