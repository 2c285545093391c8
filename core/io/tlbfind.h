// Files of TLBfind (F. Pelusi et al., TLBfind: a thermal lattice Boltzmann code for concentrated emulsions with
// finite-size droplets, arXiv:2109.12565): fields as text, droplets with their links in binary form, lists of lost and
// created links, and folders with a series of fields. Its VTK files are read by vtk.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/frames.h"
#include "geometry/point.h"

namespace flipscope::io {

struct InputFile;

/// By content: "1 1 8.300000e-01" and "1 2 …"; four small integers and rows of droplets; lines of 10-digit integers.
bool is_tlbfind(std::string_view bytes);
/// A field of densities or temperatures (x y value), or of speeds (x y u v): Geometry::field. Droplets
/// (delaunayNowTime…, delaunayPastTime…): points with columns area and neighbours, and a recording of one step whose
/// marked edges are the links. Links (breakingLinks, arisingLinks, …Boundary): a recording of one step for each time,
/// whose marked edges are the links. Throws Error.
Geometry read_tlbfind(const InputFile& file);

/// The files NAME.N.dat or NAME.N.vtk of a folder as frames in the order of N, where NAME is the first of firstdensity,
/// seconddensity, temperature and veloconf that is there. nullopt: none. Throws Error, also for frames of different
/// sizes.
std::optional<FieldStack> read_tlbfind_folder(const std::filesystem::path& folder, std::vector<std::string>* notes);

}  // namespace flipscope::io
