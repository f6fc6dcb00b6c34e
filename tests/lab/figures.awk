# SPDX-License-Identifier: MIT
#
# awk -F, -v metric=METRIC -v who=PREDICTOR -f figures.awk CSV: a figure of a CSV of vivgpu-predict. METRIC is
#
#	smallest_us, largest_us, mean_us	of the measured times
#	mean_us:COLUMN:VALUE	the same of the groups with this value in a column
#	share:LOW:HIGH		groups from LOW to HIGH us in percent
#	per_byte:COLUMN		slope of the line of least squares over a column, ns
#	error_us, error_percent, largest_error_us	of the predictor's times
#	within:US		groups with an error below that in percent
#	fragments_percent, fragments_worst	of the predictor's fragments, where they are known
#	box_least, box_worst	the same of the bounding box's, whoever the predictor is

function abs(x) { return x < 0 ? -x : x }
BEGIN { split(metric, part, ":"); box = part[1] ~ /^box_/ }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
part[1] == "mean_us" && part[2] && $at[part[2]] != part[3] { next }
{
	us = $at["measured_ns"] / 1e3
	n++
	sum += us
	least = n == 1 || us < least ? us : least
	most = us > most ? us : most
	inside += us >= part[2] && us <= part[3]
	if (part[1] == "per_byte") {
		x = $at[part[2]]
		sx += x; sxx += x * x; sxy += x * us
	}
	error = abs($at[who "_ns"] / 1e3 - us)
	errors += error
	percent += us > 0 ? 100 * error / us : 0
	worst = error > worst ? error : worst
	close_by += error < part[2]
	counted = $at["fragments"]
	if (counted > 0) {
		wrong = 100 * abs($at[(box ? "bounding-box" : who) "_fragments"] / counted - 1)
		m++
		all += wrong
		fewest = m == 1 || wrong < fewest ? wrong : fewest
		farthest = wrong > farthest ? wrong : farthest
	}
}
END {
	if (!n)
		exit 1
	figure["smallest_us"] = least
	figure["largest_us"] = most
	figure["mean_us"] = sum / n
	figure["share"] = 100 * inside / n
	if (part[1] == "per_byte")
		figure["per_byte"] = 1e3 * (n * sxy - sx * sum) / (n * sxx - sx * sx)
	figure["error_us"] = errors / n
	figure["error_percent"] = percent / n
	figure["largest_error_us"] = worst
	figure["within"] = 100 * close_by / n
	if (m) {
		figure["fragments_percent"] = all / m
		figure["fragments_worst"] = figure["box_worst"] = farthest
		figure["box_least"] = fewest
	}
	if (!(part[1] in figure))
		exit 1
	printf "%.4g\n", figure[part[1]]
}
