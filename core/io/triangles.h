// Reads triangles over points of another file: the output of a program under test. Accepts arbitrary integers; judge()
// validates them. Called by `flipscope check POINTS TRIANGLES` and for the answers of other programs.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/points.h"

namespace flipscope {

/// The formats of read_triangles, for lists and messages.
const std::vector<FormatInfo>& triangle_formats();

/// Reads by the file's extension (any case): a table (io/table.h) of three whole numbers a line (.tri, .txt, .csv,
/// .tsv, .dat), an array of shape (t, 3) of whole numbers (.npy, or in a .npz called triangles or the like), Triangle's
/// .ele (no .node needs to lie beside it), or the faces of a mesh (.ply, .obj, .off), whose own points are not used.
/// Indices count from 0; in .ele from the number of its first triangle, 0 or 1; from 1 where counts_from_one() of
/// `point_count` points, which is said (0: how many there are is not known). An index that is negative or beyond 32
/// bits becomes kNone, which is no point. A file of no triangles is fine, and so is an empty one. Throws Error:
/// `out.tri:41: expected three whole numbers, found "1 2"`, `out.npy: expected shape (t, 3), found (t, 4)`; also for a
/// file that is missing or unreadable.
std::vector<std::array<uint32_t, 3>> read_triangles(const std::filesystem::path& path,
                                                    std::vector<std::string>* notes = nullptr,
                                                    uint64_t point_count = 0);

/// Whether indices seem to count from 1: none is 0, and the highest is the number of points. Ignores kNone.
bool counts_from_one(std::span<const uint32_t> corners, uint64_t point_count);
/// "indices count from 1: none is 0, and the highest is 12, the number of points"
std::string counted_from_one(uint64_t point_count);

}  // namespace flipscope
