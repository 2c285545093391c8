#include "io/triangles.h"

#include <algorithm>

#include "compute/view.h"
#include "io/formats.h"
#include "io/geometry.h"
#include "io/input_bytes.h"
#include "io/npy_file.h"
#include "io/npy_places.h"
#include "io/npz_points.h"
#include "io/parse.h"
#include "io/structured_text.h"
#include "io/table.h"

namespace flipscope {

namespace {

using TriangleRows = std::vector<std::array<uint32_t, 3>>;
using io::Lines;

/// "triangles corners attributes", then one line "index a b c …" per triangle.
TriangleRows read_ele_alone(const std::filesystem::path& path, std::string_view text) {
    Lines lines(path, text);
    std::string_view content;
    if (!io::next_content(lines, content)) return {};
    std::string_view rest = content;
    const uint64_t declared =
        lines.integer(io::take_word(rest), "\"triangles corners attributes\", all whole numbers", content);
    TriangleRows triangles;
    int64_t base = 0;
    while (io::next_content(lines, content)) {
        rest = content;
        const std::optional<int64_t> index = io::whole<int64_t>(io::take_word(rest));
        if (triangles.empty() && index) base = *index;
        if (!index || base < 0 || base > 1 || *index != base + static_cast<int64_t>(triangles.size()))
            throw lines.expected(triangles.empty() ? std::string("index 0 or 1")
                                                   : "index " + std::to_string(base + int64_t(triangles.size())),
                                 content);
        std::array<uint32_t, 3> corners{};
        for (uint32_t& corner : corners) {
            const std::string_view id = io::take_word(rest);
            corner = io::index_or_none(lines.integer<int64_t>(id, "an index and the indices of three points", content) -
                                       base);
        }
        triangles.push_back(corners);
    }
    if (triangles.size() != declared)
        throw Error(path.string() + ": expected " + std::to_string(declared) + " triangles as declared, found " +
                    std::to_string(triangles.size()));
    return triangles;
}

TriangleRows read_as_they_are(const std::filesystem::path& path, std::vector<std::string>& all_notes,
                              uint64_t point_count) {
    const std::string extension = io::lower_extension(io::format_path(path));
    const std::vector<FormatInfo>& formats = triangle_formats();
    const auto format =
        std::ranges::find_if(formats, [&](const FormatInfo& one) { return has_extension(one, extension); });
    if (format == formats.end())
        throw Error(path.string() + ": " +
                    (extension.empty() ? "no extension names the format" : "unknown format " + extension) +
                    " of triangles (known: " + known_extensions(formats) + ")");
    if (format == formats.end() - 1) {
        Geometry mesh = read_geometry(path, &all_notes);
        all_notes.push_back(path.string() + ": its " + std::to_string(mesh.points.size()) + " points are not used");
        return std::move(mesh.triangles);
    }
    const io::FileBytes bytes = io::input_bytes(path);
    const ReadOptions options;
    const io::InputFile file{path, bytes, options, all_notes};
    if (extension == ".npz") return io::read_npz_triangles(path, bytes, all_notes);
    if (extension == ".npy") return io::read_triples(io::NpyFile(path, bytes), all_notes);
    if (extension == ".ele") return read_ele_alone(path, bytes);
    return io::looks_like_structured_text(bytes.head()) ? io::read_text_triangles(file)
                                                        : io::read_table_triangles(file, point_count);
}

}  // namespace

const std::vector<FormatInfo>& triangle_formats() {
    static const std::vector<FormatInfo> formats{
        {{".tri", ".txt", ".csv", ".tsv", ".dat", ".json"},
         "a table of three indices a line; with a header, beside a column that counts rows, packed with gzip too; or "
         "lists of three, as JSON has them and NumPy prints them"},
        {{".npy", ".npz"},
         "a NumPy array of shape (t, 3) of whole numbers; in an archive the one called triangles or simplices"},
        {{".ele"}, "Triangle's triangles; indices count from the number of the first, 0 or 1"},
        {io::mesh_extensions(io::MeshUse::kTriangles), "the faces of a mesh, whose points are not used"},
    };
    return formats;
}

TriangleRows read_triangles(const std::filesystem::path& path, std::vector<std::string>* notes, uint64_t point_count) {
    std::vector<std::string> unread;
    std::vector<std::string>& all_notes = notes ? *notes : unread;
    TriangleRows triangles = io::within_memory(path, [&] { return read_as_they_are(path, all_notes, point_count); });
    if (!triangles.empty() && counts_from_one({triangles[0].data(), 3 * triangles.size()}, point_count)) {
        for (auto& corners : triangles)
            for (uint32_t& corner : corners) corner -= corner != kNone;
        all_notes.push_back(path.string() + ": " + counted_from_one(point_count));
    }
    return triangles;
}

bool counts_from_one(std::span<const uint32_t> corners, uint64_t point_count) {
    uint64_t highest = 0;
    for (const uint32_t corner : corners) {
        if (corner == 0) return false;
        if (corner != kNone) highest = std::max<uint64_t>(highest, corner);
    }
    return point_count > 0 && highest == point_count;
}

std::string counted_from_one(uint64_t point_count) {
    return "indices count from 1: none is 0, and the highest is " + std::to_string(point_count) +
           ", the number of points";
}

}  // namespace flipscope
