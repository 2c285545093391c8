// Wavefront OBJ: "v x y z" and "f a b c", where a corner may be "vertex/texture/normal" and a negative vertex counts
// back from the latest one. CGAL is handed these two statements alone, since it gives up at statements it does not
// know, ends a face silently at a word that is no number and takes vertex 0 for the next one to come.

#include <algorithm>
#include <cctype>

#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

constexpr uint64_t kMostIndices = 0x7fffffff;  // CGAL reads them as int

/// The next statement; a line that ends in a backslash goes on in the next one.
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

/// Vertices that faces named before they stood in the file.
struct Ahead {
    uint64_t line, vertex;  // both from 1
};

void add_face(std::string_view rest, const std::string& statement, const Lines& lines, uint64_t points_so_far,
              std::string& plain, std::vector<Ahead>& ahead) {
    plain += 'f';
    if (rest.empty()) throw lines.expected("the vertices of a face", statement);
    while (!rest.empty()) {
        const std::string_view corner = take_word(rest);
        const std::string_view vertex = corner.substr(0, corner.find('/'));
        const std::optional<int64_t> id = whole<int64_t>(vertex);
        if (!id) throw lines.expected("vertices of a face such as 7 or 7/1/1", corner);
        const auto names = [&] { return lines.where() + "the face names vertex " + std::string(vertex); };
        if (*id == 0) throw Error(names() + ", but OBJ counts from 1");
        if (*id < 0 && static_cast<uint64_t>(-(*id + 1)) >= points_so_far) {
            throw Error(names() + ", counted backwards, but only " + std::to_string(points_so_far) +
                        " vertices stand before it");
        }
        if (*id > static_cast<int64_t>(kMostIndices)) throw Error(names() + ", which is more than a file may hold");
        if (*id > static_cast<int64_t>(points_so_far)) ahead.push_back({lines.number(), static_cast<uint64_t>(*id)});
        (plain += ' ') += vertex;
    }
    plain += '\n';
}

bool is_word(std::string_view text) {
    return std::isalpha(static_cast<unsigned char>(text.front())) &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

MeshFile read_obj(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    MeshFile mesh;
    mesh.first_index = 1;
    std::string plain, statement;
    std::vector<Ahead> ahead;
    plain.reserve(text.size());
    uint64_t others = 0, first_line = 0;  // lines, curves, ...
    Lines lines(path, text);
    while (next_statement(lines, statement, first_line)) {
        std::string_view rest = trimmed(statement);
        if (rest.empty()) continue;
        const std::string_view keyword = take_word(rest);
        if (keyword == "v") {
            ((plain += "v ") += take_coordinates(rest, 3, "\"v x y z\"", statement, lines)) += '\n';
            mesh.point_lines.push_back(first_line);
        } else if (keyword == "f" || keyword == "fo") {  // fo: an old way to write the same
            add_face(rest, statement, lines, mesh.point_lines.size(), plain, ahead);
            mesh.face_lines.push_back(first_line);
        } else if (keyword == "l" || keyword == "p" || keyword == "curv" || keyword == "surf") {
            ++others;
        } else if (!is_word(keyword) && !keyword.starts_with('$')) {  // "$" starts remarks of some programs
            throw lines.expected("a statement of OBJ such as \"v 1 2 3\" or \"f 1 2 3\"", statement);
        }
    }
    for (const Ahead& face : ahead) {
        if (face.vertex <= mesh.point_lines.size()) continue;
        throw Error(path.string() + ":" + std::to_string(face.line) + ": the face names vertex " +
                    std::to_string(face.vertex) + ", but there are " + std::to_string(mesh.point_lines.size()) +
                    ", counted from 1");
    }
    if (others > 0) {
        notes.push_back(path.string() + ": lines, points and curves are not used (" + std::to_string(others) + ")");
    }
    if (mesh.point_lines.size() > kMostIndices) throw Error(path.string() + ": more vertices than can be counted");
    const bool whole = read_with_cgal(MeshFormat::kObj, std::move(plain), mesh);
    const bool has_faces = !mesh.face_lines.empty();  // a file without faces is not whole to CGAL
    if ((!whole && has_faces) || mesh.points.size() != mesh.point_lines.size() ||
        mesh.face_ends.size() != mesh.face_lines.size()) {
        throw Error(path.string() + ": cannot be read as OBJ");
    }
    return mesh;
}

}  // namespace flipscope::io
