// Wavefront OBJ: "v x y z" and "f a b c", where a corner may be "vertex/texture/normal" and a negative vertex counts
// back from the latest one. Skips statements other than points and faces.

#include <algorithm>
#include <cctype>

#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

constexpr int64_t kMostIndices = 0x7fffffff;

/// The next statement; a line that ends in a backslash continues in the next one.
bool next_statement(Lines& lines, std::string& statement, uint64_t& first_line) {
    std::string_view line;
    if (!lines.next(line)) return false;
    first_line = lines.number();
    statement.clear();
    for (;;) {
        line = trimmed(line.substr(0, line.find('#')));
        const bool goes_on = line.ends_with('\\');
        if (goes_on) line.remove_suffix(1);
        statement += line;
        if (!goes_on || !lines.next(line)) break;
        statement += ' ';
    }
    return true;
}

void add_face(std::string_view rest, const std::string& statement, const Lines& lines, MeshFile& mesh) {
    if (rest.empty()) throw lines.expected("the vertices of a face", statement);
    while (!rest.empty()) {
        const std::string_view corner = take_word(rest);
        const std::string_view vertex = corner.substr(0, corner.find('/'));
        const auto id = lines.integer<int64_t>(vertex, "vertices of a face such as 7 or 7/1/1", corner);
        const auto names = [&] { return lines.where() + "the face names vertex " + std::string(vertex); };
        const auto points_so_far = static_cast<int64_t>(mesh.points.size());
        if (id == 0) throw Error(names() + ", but OBJ counts from 1");
        if (id < -points_so_far)
            throw Error(names() + ", counted backwards, but only " + std::to_string(points_so_far) +
                        " vertices precede it");
        if (id > kMostIndices) throw Error(names() + ", which is more than a file may hold");
        mesh.corners.push_back(static_cast<uint32_t>(id > 0 ? id - 1 : points_so_far + id));
    }
    mesh.face_ends.push_back(mesh.corners.size());
}

bool is_word(std::string_view text) {
    return std::isalpha(static_cast<unsigned char>(text.front())) &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

MeshFile read_obj(const InputFile& file) {
    MeshFile mesh;
    mesh.first_index = 1;
    std::string statement;
    uint64_t others = 0, first_line = 0;  // lines, curves, ...
    Lines lines(file.path, file.bytes);
    while (next_statement(lines, statement, first_line)) {
        std::string_view rest = trimmed(statement);
        if (rest.empty()) continue;
        const std::string_view keyword = take_word(rest);
        if (keyword == "v") {
            mesh.points.push_back(read_place(rest, "\"v x y z\"", statement, lines));
            mesh.point_lines.push_back(first_line);
        } else if (keyword == "f" || keyword == "fo") {  // fo: an obsolete form of f
            add_face(rest, statement, lines, mesh);
            mesh.face_lines.push_back(first_line);
        } else if (keyword == "l" || keyword == "p" || keyword == "curv" || keyword == "surf") {
            ++others;
        } else if (!is_word(keyword) && !keyword.starts_with('$')) {  // "$" starts remarks of some programs
            throw lines.expected("a statement of OBJ such as \"v 1 2 3\" or \"f 1 2 3\"", statement);
        }
    }
    if (others > 0) file.note("lines, points and curves are not used (" + std::to_string(others) + ")");
    return mesh;
}

}  // namespace flipscope::io
