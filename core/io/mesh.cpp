#include "io/mesh.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "io/files.h"
#include "io/npy_writer.h"
#include "io/output_file.h"

namespace flipscope {
namespace {

namespace fs = std::filesystem;

size_t segment_count(const TriangleSoup& soup) { return soup.path.empty() ? 0 : soup.path.size() - 1; }

double height(const TriangleSoup& soup, size_t i) { return soup.heights ? (*soup.heights)[i] : soup.level; }

void write_ply(OutputFile& out, const TriangleSoup& soup) {
    out << "ply\nformat binary_little_endian 1.0\ncomment written by Flipscope, the vertices in the order of the "
           "input\n"
        << "element vertex " << soup.points->size()
        << "\nproperty double x\nproperty double y\nproperty double z\nelement face " << soup.triangles.size()
        << "\nproperty list uchar int vertex_indices\n";
    if (segment_count(soup) > 0)
        out << "element edge " << segment_count(soup) << "\nproperty int vertex1\nproperty int vertex2\n";
    out << "end_header\n";
    for (size_t i = 0; i < soup.points->size(); ++i) {
        out.little_endian((*soup.points)[i].x);
        out.little_endian((*soup.points)[i].y);
        out.little_endian(height(soup, i));
    }
    for (const auto& t : soup.triangles) {
        out.little_endian(uint8_t{3});
        for (uint32_t v : t) out.little_endian(v);
    }
    for (size_t i = 0; i < segment_count(soup); ++i) {
        out.little_endian(soup.path[i]);
        out.little_endian(soup.path[i + 1]);
    }
}

void write_position(OutputFile& out, const TriangleSoup& soup, size_t i) {
    out << (*soup.points)[i].x << ' ' << (*soup.points)[i].y << ' ' << height(soup, i) << '\n';
}

void write_obj(OutputFile& out, const TriangleSoup& soup) {
    const auto id = [](uint32_t v) { return uint64_t{v} + 1; };  // OBJ counts from 1
    out << "# written by Flipscope, the vertices in the order of the input\n";
    for (size_t i = 0; i < soup.points->size(); ++i) write_position(out << "v ", soup, i);
    for (const auto& t : soup.triangles) out << "f " << id(t[0]) << ' ' << id(t[1]) << ' ' << id(t[2]) << '\n';
    for (size_t i = 0; i < segment_count(soup); ++i)
        out << "l " << id(soup.path[i]) << ' ' << id(soup.path[i + 1]) << '\n';
}

void write_off(OutputFile& out, const TriangleSoup& soup) {
    out << "OFF\n# written by Flipscope, the vertices in the order of the input\n"
        << soup.points->size() << ' ' << soup.triangles.size() + segment_count(soup) << " 0\n";
    for (size_t i = 0; i < soup.points->size(); ++i) write_position(out, soup, i);
    for (const auto& t : soup.triangles)
        out << "3 " << uint64_t{t[0]} << ' ' << uint64_t{t[1]} << ' ' << uint64_t{t[2]} << '\n';
    for (size_t i = 0; i < segment_count(soup); ++i)
        out << "2 " << uint64_t{soup.path[i]} << ' ' << uint64_t{soup.path[i + 1]} << '\n';
}

void write_node(OutputFile& out, const TriangleSoup& soup) {
    out << "# points, written by Flipscope; indices start at 0\n" << soup.points->size() << " 2 0 0\n";
    uint64_t index = 0;
    for (Point p : *soup.points) out << index++ << ' ' << p.x << ' ' << p.y << '\n';
}

void write_ele(OutputFile& out, const TriangleSoup& soup) {
    out << "# triangles, written by Flipscope; indices start at 0, those of the points too\n";
    if (!soup.path.empty()) out << "# all points lie on one line: no triangles\n";
    out << soup.triangles.size() << " 3 0\n";
    uint64_t index = 0;
    for (const auto& t : soup.triangles)
        out << index++ << ' ' << uint64_t{t[0]} << ' ' << uint64_t{t[1]} << ' ' << uint64_t{t[2]} << '\n';
}

void write_npy(OutputFile& out, const TriangleSoup& soup) {
    out << npy_header("<i4", {soup.triangles.size(), 3});
    for (const auto& t : soup.triangles)
        for (uint32_t v : t) out.little_endian(v);
}

/// One file of a format; the files of a format with two are written together or not at all.
struct Part {
    std::string extension;  // empty: as the user wrote it
    void (*write)(OutputFile&, const TriangleSoup&);
};

struct Format {
    FormatInfo info;
    std::vector<Part> parts;
    bool holds_heights = true;
};

const std::vector<Format>& formats() {
    static const std::vector<Format> all = {
        {{{".ply"}, "binary PLY with coordinates as doubles"}, {{"", write_ply}}},
        {{{".obj"}, "Wavefront OBJ"}, {{"", write_obj}}},
        {{{".off"}, "OFF"}, {{"", write_off}}},
        {{{".node", ".ele"}, "Triangle's two files, counting from 0"},
         {{".node", write_node}, {".ele", write_ele}},
         false},
        {{{".npy"},
          "a NumPy array of shape (t, 3), int32: the triangles as indices of the input points; "
          "positions.npy or ANYTHING-positions.npy: the points, (n, 2) or for a surface (n, 3), float64"},
         {{"", write_npy}}},
    };
    return all;
}

const Format& format_for(const fs::path& path) {
    const std::string extension = io::lower_extension(path);
    for (const Format& format : formats())
        if (has_extension(format.info, extension)) return format;
    throw Error(path.string() + ": " +
                (extension.empty() ? "no extension names the format" : "unknown mesh format " + extension) +
                " (known: " + known_extensions(mesh_formats()) + ")");
}

void require_valid(const fs::path& path, const TriangleSoup& soup) {
    if (!soup.points) throw std::invalid_argument("write_mesh: soup.points is null");
    const size_t n = soup.points->size();
    if (soup.heights && soup.heights->size() != n)
        throw std::invalid_argument("write_mesh: " + std::to_string(soup.heights->size()) + " heights for " +
                                    std::to_string(n) + " points");
    constexpr auto kMost = static_cast<size_t>(std::numeric_limits<int32_t>::max());
    if (n > kMost || soup.triangles.size() > kMost)
        throw Error(path.string() + ": too many points or triangles for the 32-bit indices of mesh files");
    const auto require = [n](uint32_t v) {
        if (v < n) return;
        throw std::invalid_argument("write_mesh: index " + std::to_string(v) + " of " + std::to_string(n) + " points");
    };
    for (const auto& t : soup.triangles) std::for_each(t.begin(), t.end(), require);
    std::for_each(soup.path.begin(), soup.path.end(), require);
}

Error no_heights(const fs::path& path, const Format& refused) {
    std::vector<FormatInfo> others;
    for (const Format& format : formats())
        if (format.holds_heights) others.push_back(format.info);
    return Error(path.string() + ": a surface has no place in " + refused.info.sentence +
                 ", which hold points of the plane; write it as " + known_extensions(others));
}

}  // namespace

const std::vector<FormatInfo>& mesh_formats() {
    static const std::vector<FormatInfo> infos = [] {
        std::vector<FormatInfo> list;
        for (const Format& format : formats()) list.push_back(format.info);
        return list;
    }();
    return infos;
}

void write_mesh(const fs::path& path, const TriangleSoup& soup) {
    const Format& format = format_for(path);
    require_valid(path, soup);
    if (soup.heights && !format.holds_heights) throw no_heights(path, format);
    std::vector<std::unique_ptr<OutputFile>> files;
    for (const Part& part : format.parts) {
        fs::path name = path;
        if (!part.extension.empty()) name.replace_extension(part.extension);
        files.push_back(std::make_unique<OutputFile>(name));
        part.write(*files.back(), soup);
        files.back()->finish();
    }
    for (const auto& file : files) file->commit();
}

}  // namespace flipscope
