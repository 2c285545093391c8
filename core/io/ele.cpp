// Triangle's .ele: a line "triangles corners attributes", then a line "index a b c ..." per triangle. The points are in
// the .node of the same name. Triangles with six corners have a point in the middle of each side; only the first three
// are used.

#include "io/mesh_file.h"
#include "io/triangle_files.h"

namespace flipscope::io {
namespace {

/// The numbers of triangles, of their corners and of their attributes.
std::array<uint64_t, 3> read_ele_header(const InputFile& file, Lines& lines) {
    std::string_view content;
    if (!next_content(lines, content)) throw file.fail("no triangles found");
    const auto header = read_whole_numbers<3>(lines, content, "triangles corners attributes", 1, {0, 3, 0});
    const auto [triangles, corners, attributes] = header;
    if (corners != 3 && corners != 6) throw lines.expected("triangles of 3 or 6 corners", content);
    // Each triangle takes at least "0 0 1 2" and a line end, which is optional after the last one.
    constexpr uint64_t kShortestLine = 8;
    if (triangles > (lines.remaining() + 1) / kShortestLine || attributes > lines.remaining())
        throw declares_more(lines, content);
    return header;
}

}  // namespace

MeshFile read_ele(const InputFile& file) {
    NodeFile node = read_nodes_beside(file);
    const uint64_t base = node.first_index;
    MeshFile mesh;
    mesh.first_index = base;
    mesh.attributes = std::move(node.attributes);
    for (const Point p : node.points) mesh.points.push_back({p.x, p.y, 0});

    Lines lines(file.path, file.bytes);
    const auto [triangles, corners, attributes] = read_ele_header(file, lines);
    const uint64_t columns = 1 + corners + attributes;
    for (std::string_view content; next_content(lines, content);) {
        const uint64_t count = mesh.face_lines.size();
        if (count == triangles)
            throw lines.expected("no more than the declared " + std::to_string(count) + " triangles", content);
        std::string_view rest = content;
        if (whole(take_word(rest)) != base + count)
            throw lines.expected("index " + std::to_string(base + count) + ", counting as the points do", content);
        uint64_t found = 1;
        for (; !rest.empty(); ++found) {
            const std::string_view word = take_word(rest);
            if (found > 3) continue;
            const uint64_t id = lines.integer(word, "an index and the indices of three points", content);
            if (id < base || id - base >= mesh.points.size())
                throw lines.fail("triangle " + std::to_string(base + count) + " names point " + std::to_string(id) +
                                 ", but there are " + std::to_string(mesh.points.size()) + ", counted from " +
                                 std::to_string(base));
            mesh.corners.push_back(static_cast<uint32_t>(id - base));
        }
        if (found != columns)
            throw lines.expected(std::to_string(columns) + " columns (index, " + std::to_string(corners) +
                                     " corners, " + std::to_string(attributes) + " attributes)",
                                 content);
        mesh.face_ends.push_back(mesh.corners.size());
        mesh.face_lines.push_back(lines.number());
    }
    if (mesh.face_lines.size() != triangles)
        throw file.fail("expected " + std::to_string(triangles) + " triangles as declared, found " +
                        std::to_string(mesh.face_lines.size()));
    if (corners > 3) file.note("the points in the middle of the sides are not used");
    if (attributes > 0) file.note("attributes of the triangles are not used");
    return mesh;
}

}  // namespace flipscope::io
