// Reading triangles over points that lie in another file: what a program under test has written. Anything may be in
// them but what is no number; whether they fit the points, and one another, is for judge() to say. Called by
// `flipscope check POINTS TRIANGLES` and for the answers of other programs.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/points.h"

namespace flipscope {

/// The formats read_triangles understands, for lists and messages.
const std::vector<FormatInfo>& triangle_formats();

/// Reads by the file's extension (any case): three whole numbers a line (.tri, .txt, .csv, .tsv), an array of shape
/// (t, 3) of whole numbers (.npy), Triangle's .ele (no .node needs to lie beside it), or the faces of a mesh (.ply,
/// .obj, .off), whose own points are not used. Indices count from 0; in .ele from the number of its first triangle, 0
/// or 1. An index that is negative or beyond 32 bits becomes kNone, which is no point. A file of no triangles is fine,
/// and so is an empty one. Throws Error: `out.tri:41: expected three whole numbers, found "1 2"`, `out.npy: expected
/// shape (t, 3), found (3, t)`; also for a file that is missing or unreadable.
std::vector<std::array<uint32_t, 3>> read_triangles(const std::filesystem::path& path,
                                                    std::vector<std::string>* notes = nullptr);

}  // namespace flipscope
