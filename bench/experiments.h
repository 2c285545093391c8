// All experiments. Each prints tables and adds their numbers to `json`; it returns false if two methods disagree or a
// check fails, and throws Error for an unknown name in task.only.
#pragma once

#include <random>

#include "bench/measure.h"
#include "bench/plot.h"
#include "voronoi/lattice.h"

namespace flipscope::bench {

// constructions.cpp, after the figures of the thesis (Drozd 2025): time against n for each distribution (8 and 13)
// beside the peers (14), shares of kernels (17), precision (21). task.only: distributions and contestants.

/// Insertion, parallel and serial, and CGAL.
bool run_insertion(const Task& task, Json& json);
/// All constructions of the registry and CGAL.
bool run_constructions(const Task& task, Json& json);
/// Not times: makes at least task.most triangles by all of them, of points by every generator and of the small sets of
/// `flipscope torture`, by one seed after the other. Returns false if they differ. Where four points are cocircular,
/// CGAL's triangles are compared in all edges but those that any Delaunay triangulation can choose.
bool run_agreement(const Task& task, Json& json);
/// Insertion by each predicate.
bool run_precisions(const Task& task, Json& json);
/// Insertion in a periodic box of side 1, beside the same points in the plane, and CGAL's periodic triangulation.
bool run_torus(const Task& task, Json& json);
/// Time per point against n, one figure per distribution.
std::vector<Figure> figures_of_constructions(const Json& json);

/// CGAL's Delaunay_triangulation_2 over its exact-predicates kernel, with its own spatial sort; with a side its
/// periodic one over [0, side)². Converts and wraps the points in advance; a run is one insert(begin, end) into an
/// empty triangulation and sets the number of triangles, of one sheet. One thread: CGAL's planar triangulations have no
/// parallel mode. Only built if CGAL is installed.
Contestant make_cgal(const std::vector<Point>& points, double side, uint64_t& triangles);
/// Its triangles in the plane; of equal points any.
std::vector<std::array<uint32_t, 3>> triangles_by_cgal(const std::vector<Point>& points);
std::string cgal_version();

// flips.cpp, after Navarro, Hitschfeld and Scheihing (2011), beside Lawson's sequential flips and, in the plane, CGAL.

/// Time against the number of triangles (figure 6), for their subdivided noisy quad at 1, 2 and 5 times powers of ten,
/// and other starts at powers of ten. task.only: starts.
bool run_flips(const Task& task, Json& json);
/// Table 1: a flat mesh and a surface of each size, as close as the generators allow. task.only: flat, surface.
bool run_meshes(const Task& task, Json& json);
/// Figure 6 with lines at 30 and 60 frames a second; or table 1 as curves over the number of edges.
std::vector<Figure> figures_of_flips(const Json& json);

/// Sections of digital Voronoi diagrams (lattice*.cpp). task.only: sections.
bool run_lattice(const Task& task, Json& json);

/// Time to find and measure the components of a field, beside a sequential union-find over pixels. Returns false if the
/// sequential labelling gives other labels, areas or (on an open lattice) centres, or if atomics and
/// sort-and-differences disagree.
bool label_components(const Task& task, const Lattice& lattice, Json& json);

/// How often each variant of the neighbour rules misses a link of the exact Delaunay graph or finds a spurious one.
/// Uses its own lattices, since rates do not depend on their size. Returns false if a link is missed whose Voronoi edge
/// is at least 1.5 lattice units long: any such link with exact cells; with the rules alone, one between sites that the
/// lattice resolves (√2 apart from others).
bool rate_links(const Task& task, const Lattice& lattice, Json& json);

/// Random sites that lie `inset` to the left of and below the lattice, so that 0.5 is where pixels begin.
std::vector<Point> random_sites(const Lattice& lattice, uint32_t n, std::mt19937_64& random, double inset = 0);

/// The Events lab, after Bernaschi, Lulli and Sbragaglia (2016, section IV): the time from a field to events, pass by
/// pass, and the share that comparing every so many steps adds to a running source. task.only: sources; empty: bubbles
/// and channel.
bool run_events(const Task& task, Json& json);

/// Particles, after Carter, Hitschfeld, Navarro and Soto (particles*.cpp). task.only: sections and configurations.
bool run_particles(const Task& task, Json& json);
/// Figures 9 to 12, as far as present.
std::vector<Figure> figures_of_particles(const Json& json);

// Of one part of the program each. Sizes are task.most, or their own.

/// Time to judge a triangulation, compared with making the exact one of the same points.
bool run_judging(const Task& task, Json& json);
/// Time to read tables of points, compared with reading their bytes alone.
bool run_readers(const Task& task, Json& json);
/// Time of each part of the statistics of points and their triangulation.
bool run_statistics(const Task& task, Json& json);
/// Time to interpolate at a million places, from points in host memory to values there.
bool run_interpolation(const Task& task, Json& json);
/// Frame times of a large triangulation while the camera moves: frames as the window draws them, without a window.
/// Throws std::runtime_error without OpenGL.
bool run_frames(const Task& task, Json& json);

// regress.cpp

/// Runs this build and another one, by its path, in turns with the same options, and compares the medians of all times.
/// Returns false if one of this build's is longer by more than the spread between turns.
bool compare_builds(const std::string& other, const std::vector<std::string>& options, int turns, Json& json);

}  // namespace flipscope::bench
