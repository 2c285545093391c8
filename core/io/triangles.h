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

/// Reads by the file's extension (any case): a table (io/table.h) of three integers per line (.tri, .txt, .csv, .tsv,
/// .dat), an integer array of shape (t, 3) (.npy, or in a .npz named triangles or similar), Triangle's .ele (the .node
/// is not needed), or the faces of a mesh (MeshUse::kTriangles in io/formats.h), whose own points are ignored. Indices
/// count from 0; in .ele from the number of its first triangle, 0 or 1; from 1 if counts_from_one() for `point_count`
/// points (0: unknown), which is noted. An index that is negative or beyond 32 bits becomes kNone. A file without
/// triangles is valid, and so is an empty one. Throws Error: `out.tri:41: expected three whole numbers, found "1 2"`,
/// `out.npy: expected shape (t, 3), found (t, 4)`; also for a missing or unreadable file.
std::vector<std::array<uint32_t, 3>> read_triangles(const std::filesystem::path& path,
                                                    std::vector<std::string>* notes = nullptr,
                                                    uint64_t point_count = 0);

/// Whether indices seem to count from 1: none is 0, and the highest is the number of points. Ignores kNone.
bool counts_from_one(std::span<const uint32_t> corners, uint64_t point_count);
/// "indices count from 1: none is 0, and the highest is 12, the number of points"
std::string counted_from_one(uint64_t point_count);

}  // namespace flipscope
