# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The cases of tests/clock/report, one function each: title, parameter, what a GPU does and
# why, then the properties: must (an error if it does not hold) and silicon (reported only). Their
# bounds are wide: they are those of the mechanism, not of one set of parameters.
# c["SERIES", PARAMETER] are cycles. Sourced by report.

# In the order of the page, with _ for - in names of functions.
# shellcheck disable=SC2034 # read by report
CASES=(area width instructions temporaries fetches texture-size filter anisotropy warmth upload
	overdraw samples targets target blending clear vertices crossing triangle-size thin reuse varyings
	flush clients display)

# Side of the largest texture of this case's sizes that the texture cache holds: 2 KB
# on cores before HALTI2, 4 KB on later ones.
case $PERSONALITY in
gc2000) cached=16 next=32 ;;
*) cached=32 next=64 ;;
esac

case_area() {
	begin_case "Fragments" "side of the square in pixels" \
		"A small draw costs what its job costs; beyond that each pixel costs the same, so four times the area is four times the time."
	must "a few pixels more cost nothing" 'c["plain", 8] / c["plain", 4]' 0.99 1.2
	must "four times the pixels, beyond a job" \
		'(c["plain", 256] - c["plain", 128]) / (c["plain", 128] - c["plain", 64])' 3.6 4.4
}

case_width() {
	begin_case "Size of the target" "width of the target in pixels" \
		"The same 65,536 pixels, as all of a wide target and as a corner of a square one. Tiles keep pixels that are near each other in one cache line, so the size of the target makes little difference."
	silicon "1,024 columns over 256, whole target" 'c["whole target", 1024] / c["whole target", 256]' 0.8 1.3
	silicon "1,024 columns over 256, corner" \
		'c["corner of a square", 1024] / c["corner of a square", 256]' 0.8 1.3
}

case_instructions() {
	begin_case "Instructions per fragment" "instructions" \
		"Few instructions are hidden behind the pixel engine, which writes pixels at its own rate; from then on the shader cores are the bottleneck and time follows the instructions."
	must "the second instruction is hidden" 'c["chain", 2] / c["chain", 1]' 0.99 1.1
	must "128 over 64 instructions" 'c["chain", 128] / c["chain", 64]' 1.8 2.1
}

case_temporaries() {
	begin_case "Temporaries" "values that live at the same time" \
		"Threads share the register file: the more temporaries a program has, the fewer threads are in flight, and the less of the latency of lookups they hide."
	must "more temporaries are never faster" \
		'c["lookups", 56] / c["lookups", 2]' 0.99 100
	silicon "lookups with 56 temporaries over 8" 'c["lookups", 56] / c["lookups", 8]' 1.05 100
}

case_fetches() {
	begin_case "Dependent texture lookups" "lookups" \
		"While a thread waits for a texel others run, so lookups that depend on each other cost as much as others, if there are enough threads; with a few pixels each further lookup takes its whole latency. Independent ones compute their places, which takes some instructions more."
	must "dependent over independent, many pixels" \
		'c["dependent", 32] / c["independent", 32]' 0.7 1.1
	must "a lookup of one of 64 pixels over one of 65,536" \
		'(c["dependent on 64 pixels", 32] - c["dependent on 64 pixels", 16]) * 1024 / (c["dependent", 32] - c["dependent", 16])' 1.5 100
}

case_texture_size() {
	begin_case "Size of a texture" "side of the texture in texels" \
		"Fragments read places all over the texture. As long as it fits in the texture cache each texel is fetched once; beyond, nearly every lookup fetches a line from memory, and time jumps. Larger textures also open more DRAM pages, and 512 x 512 texels are 1 MB, twice what the eight lines of page tables cover that the MMU keeps."
	must "no difference while it fits" "c[\"scattered\", $cached] / c[\"scattered\", 4]" 0.95 1.1
	must "the step where it leaves the cache" \
		"c[\"scattered\", $next] / c[\"scattered\", $cached]" 3 100
	must "512 texels over the first that do not fit" \
		"c[\"scattered\", 512] / c[\"scattered\", $next]" 1 5
}

case_filter() {
	begin_case "Filter" "texels of the filter: nearest 1, bilinear 4, trilinear 8" \
		"A texture unit filters four texels at a time, so bilinear is as fast as nearest; trilinear reads two mipmap levels and takes the unit twice as long."
	must "bilinear over nearest" 'c["four lookups", 4] / c["four lookups", 1]' 0.95 1.1
	must "trilinear over bilinear" 'c["four lookups", 8] / c["four lookups", 4]' 1.4 2.2
}

case_anisotropy() {
	begin_case "Anisotropic filter" "greatest degree of anisotropy" \
		"A fragment covers 16 texels in one direction. The filter takes a sample for each part of it, up to the degree, so time grows with the degree."
	must "16 is not faster than 1" 'c["16:1", 16] / c["16:1", 1]' 0.99 32
	silicon "degree 16 over 1" 'c["16:1", 16] / c["16:1", 1]' 2 32
}

case_warmth() {
	begin_case "Texture cache, cold and warm" "squares of 32 x 32 pixels in a job" \
		"The first square fetches its texture from memory. Those after it find it in the cache if they use the same one; with a texture each, all squares pay for the fetch."
	must "the first square costs the same" \
		'c["other textures", 1] / c["same texture", 1]' 0.98 1.02
	must "a further cold square over a warm one" \
		'(c["other textures", 16] - c["other textures", 2]) / (c["same texture", 16] - c["same texture", 2])' 1.3 10
}

case_upload() {
	begin_case "Loading a texture" "side of the texture in texels" \
		"The driver copies new texels into tiles with the resolve engine, so time follows the bytes; drawing a small square from a texture of any size takes the same time."
	must "four times the bytes" \
		'(c["loaded and drawn", 1024] - c["loaded and drawn", 512]) / (c["loaded and drawn", 512] - c["loaded and drawn", 256])' 3.5 4.5
	must "drawn from 1,024 x 1,024 texels over 32 x 32" 'c["drawn", 1024] / c["drawn", 32]' 0.95 1.2
}

case_overdraw() {
	begin_case "Overdraw" "layers" \
		"From back to front each layer is shaded. From front to back the early depth test drops the fragments of later layers before they are shaded, for a fraction of the price. Cores with NO_EARLY_Z (the gc2000) shade all of them."
	must "16 over 8 layers, back to front" 'c["back to front", 16] / c["back to front", 8]' 1.8 2.1
	if [[ $PERSONALITY == gc2000 ]]; then
		must "a hidden layer over a shaded one, without early depth" \
			'(c["front to back", 16] - c["front to back", 1]) / 15 / c["front to back", 1]' 0.9 1.1
	else
		must "a hidden layer over a shaded one" \
			'(c["front to back", 16] - c["front to back", 1]) / 15 / c["front to back", 1]' 0 0.3
	fi
}

case_samples() {
	begin_case "Samples" "samples of a pixel" \
		"The pixel engine writes each sample, so simple pixels take up to four times as long; the shader runs once for each pixel, so with a long one samples are hidden."
	offered "1 instruction" 4 || {
		note "The driver offers no four samples on this core."
		return
	}
	must "four samples, short shader" 'c["1 instruction", 4] / c["1 instruction", 1]' 2.5 4.5
	must "four samples, long shader" 'c["64 instructions", 4] / c["64 instructions", 1]' 0.98 1.3
}

case_targets() {
	begin_case "Number of targets" "targets that a fragment writes at once" \
		"A pixel of each target goes to memory, which becomes the bottleneck, so simple pixels take a multiple of the time; the shader runs once for all of them, so with a long one further targets are hidden."
	offered "1 instruction" 4 || {
		note "The driver offers one target on this core."
		return
	}
	silicon "four targets over one, short shader" 'c["1 instruction", 4] / c["1 instruction", 1]' 1.5 4.5
	must "four targets over one, long shader" 'c["64 instructions", 4] / c["64 instructions", 1]' 0.98 1.4
}

case_target() {
	begin_case "Format of the target" "bits of a pixel: colour 16, 32; with depth 48, 64" \
		"What is only written goes at the pixel engine's rate. Blending and depth read the target as well, and the bytes of a pixel become the bottleneck."
	must "64 over 16 bits, blended" 'c["blended", 64] / c["blended", 16]' 1.5 6
	must "32 over 16 bits, blended" 'c["blended", 32] / c["blended", 16]' 1.05 2.2
	must "32 over 16 bits, overwritten" 'c["overwritten", 32] / c["overwritten", 16]' 0.98 2.1
}

case_blending() {
	begin_case "Blending" "layers" \
		"A blended pixel is read before it is written, so it takes twice the bandwidth of one that is overwritten; both follow the number of layers."
	must "blended over overwritten" 'c["on", 8] / c["off", 8]' 1.1 2.2
	must "eight over four layers" '(c["on", 8] - c["on", 4]) / (c["on", 4] - c["on", 2])' 1.9 2.1
}

case_clear() {
	begin_case "Clear" "side of the target in pixels" \
		"A clear of the whole target only sets tile status tags, two bits for each tile; a part of it is drawn pixel by pixel."
	must "16 times the pixels of the whole target" \
		'c["whole target", 1024] / c["whole target", 256]' 0.99 3
	must "four times the pixels of a part" \
		'(c["part of it", 256] - c["part of it", 128]) / (c["part of it", 128] - c["part of it", 64])' 3.5 5
}

case_vertices() {
	begin_case "Vertices" "squares along one side of a grid that covers 128 x 128 pixels" \
		"Few vertices are hidden behind the fragments. From some number on the vertices are the bottleneck, and four times as many take four times as long."
	must "64 squares over one" 'c["128 x 128 pixels", 8] / c["128 x 128 pixels", 1]' 0.95 1.2
	must "four times the vertices" 'c["128 x 128 pixels", 128] / c["128 x 128 pixels", 64]' 3.5 4.3
}

case_crossing() {
	begin_case "From vertices to fragments" "side of the grid's square in pixels" \
		"The same 1,536 vertices, drawn larger: as long as vertices are the bottleneck the size is free; then fragments are, and time follows the area. The bottleneck changes with the distance of an object."
	must "64 pixels over 8" 'c["1536 vertices", 64] / c["1536 vertices", 8]' 0.95 1.15
	must "256 pixels over 64" 'c["1536 vertices", 256] / c["1536 vertices", 64]' 1.8 8
}

case_triangle_size() {
	begin_case "Size of triangles" "legs of the triangles in pixels" \
		"The same pixels by ever smaller triangles: large ones are bound by pixels, small ones by vertices and setup, so one pixel costs many times as much."
	must "32 pixels over 256" 'c["65536 pixels", 32] / c["65536 pixels", 256]' 0.95 1.1
	must "2 pixels over 4" 'c["65536 pixels", 2] / c["65536 pixels", 4]' 3 4.5
}

case_thin() {
	begin_case "Thin triangles" "width in pixels of rectangles with 256 pixels" \
		"Vertices and pixels are the same, but thin triangles touch more tiles and leave quads half empty, so the rasteriser walks more and the shader runs for pixels that do not exist."
	must "1 pixel over 16" 'c["256 rectangles", 1] / c["256 rectangles", 16]' 1.5 16
	must "1 pixel over 2" 'c["256 rectangles", 1] / c["256 rectangles", 2]' 1.1 4
}

case_reuse() {
	begin_case "Reuse of vertices" "squares in a row of an indexed grid" \
		"A vertex that is still in the vertex cache is not shaded again. With short rows the row before is still in its 16 entries, one vertex for two triangles; with longer rows only the neighbour is. Vertices of separate triangles are all shaded. The triangles are culled, so that only vertices cost."
	must "separate over indexed, rows of four" 'c["separate", 4] / c["indexed", 4]' 1.3 7
	must "the rows make no difference without indices" 'c["separate", 128] / c["separate", 4]' 0.95 1.05
	silicon "indexed rows of 64 over rows of four" 'c["indexed", 64] / c["indexed", 4]' 1.2 3
}

case_varyings() {
	begin_case "Varyings" "vectors that pass from vertices to fragments" \
		"Each varying is written for each vertex and interpolated for each fragment. Programs of fragments here use as many operands for any number of them."
	must "8 varyings are not faster, fragments" 'c["65536 pixels", 8] / c["65536 pixels", 1]' 0.99 8
	must "8 varyings are not faster, vertices" 'c["24576 vertices", 8] / c["24576 vertices", 1]' 0.99 8
	silicon "8 varyings over one, vertices" 'c["24576 vertices", 8] / c["24576 vertices", 1]' 1.05 8
	note "The model has no price for a varying. No measurement of these cores gives one, and the prices of vertices and instructions were fitted to programs with varyings."
}

case_flush() {
	begin_case "Jobs" "jobs with one square each" \
		"Each job ends with a flush of the caches and an event; that is a fixed price, which small jobs notice and large ones hide."
	must "a job of 256 pixels beyond the first, in cycles" \
		'(c["256 pixels", 16] - c["256 pixels", 8]) / 8' 1000 20000
	must "16 over 8 jobs" 'c["256 pixels", 16] / c["256 pixels", 8]' 1.7 2.1
}

case_clients() {
	begin_case "Two clients" "jobs of 65,536 pixels" \
		"Jobs of two contexts run one after the other on the only core. Each switch costs the state of the other context, little beside its work."
	must "two over one, 16 jobs" 'c["two clients", 16] / c["one client", 16]' 1 1.2
	must "16 over 8 jobs of two" 'c["two clients", 16] / c["two clients", 8]' 1.9 2.1
}

case_display() {
	begin_case "Display" "lines of the mode at 60 Hz, 1: off" \
		"The display reads its picture from the same memory, 500 MB/s with 1,080 lines. Work that waits for memory becomes slower; work that waits for something else does not notice." relative
	must "1,080 lines over off, bound by memory" 'c["bound by memory", 1080] / c["bound by memory", 1]' 1.03 2
	must "480 lines over off, bound by memory" 'c["bound by memory", 480] / c["bound by memory", 1]' 1.002 1.3
	must "1,080 lines over 480, bound by memory" 'c["bound by memory", 1080] / c["bound by memory", 480]' 1.02 2
	must "1,080 lines over off, bound by pixels" 'c["bound by pixels", 1080] / c["bound by pixels", 1]' 0.99 1.02
}
