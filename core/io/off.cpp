// OFF: the word OFF, "vertices faces edges", a line "x y z" for each vertex and a line "count a b c" for each face,
// both perhaps with normals, texture coordinates or colours behind them. CGAL is handed the plain form without
// comments: it allocates what the header promises, and picks colours out of a line by counting words that may not be
// there.

#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

constexpr uint64_t kMost = 0x7fffffff;  // CGAL reads the counts as int

struct Header {
    uint64_t points = 0, faces = 0;
};

/// "OFF", "COFF", "STCNOFF", ...: positions come first in all of them. Leaves what follows on the line in `rest`.
void read_magic(const std::filesystem::path& path, Lines& lines, std::string_view& rest) {
    std::string_view content;
    if (!next_content(lines, content)) throw Error(path.string() + ": the file is empty");
    rest = content;
    std::string_view word = take_word(rest);
    for (const std::string_view prefix : {"ST", "C", "N"}) {
        if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
    }
    if (word == "4OFF" || word == "nOFF" || word == "4nOFF") {
        throw lines.expected("vertices of three coordinates (OFF, COFF, NOFF, STOFF)", content);
    }
    if (word != "OFF") throw lines.expected("\"OFF\"", content);
    if (rest.starts_with("BINARY")) throw lines.expected("OFF as text", content);
}

Header read_counts(const std::filesystem::path& path, Lines& lines, std::string_view rest) {
    if (rest.empty() && !next_content(lines, rest)) throw Error(path.string() + ": ends before the number of vertices");
    const std::string_view content = rest;
    const std::optional<uint64_t> points = whole(take_word(rest)), faces = whole(take_word(rest));
    if (!points || !faces || (!rest.empty() && !whole(take_word(rest))) || !rest.empty()) {
        throw lines.expected("\"vertices faces edges\", all whole numbers", content);
    }
    // A vertex takes at least "0 0 0" and a line end, a face "1 0" and one; the last line may lack it.
    const uint64_t room = lines.remaining() + 1;
    if (*points > kMost || *faces > kMost || *points * 6 + *faces * 4 > room) {
        throw Error(lines.where() + excerpt(content) + " promises more than the file has room for: " +
                    std::to_string(lines.remaining()) + " bytes follow");
    }
    return {*points, *faces};
}

void check_face(std::string_view content, uint64_t point_count, const Lines& lines) {
    std::string_view rest = content;
    const std::optional<uint64_t> count = whole(take_word(rest));
    for (uint64_t i = 0; count && i < *count; ++i) {
        const std::string_view word = take_word(rest);
        const std::optional<uint64_t> id = whole(word);
        if (!id) throw lines.expected("a face of " + std::to_string(*count) + " vertices", content);
        if (*id >= point_count) {
            throw Error(lines.where() + "the face names vertex " + std::string(word) + ", but there are " +
                        std::to_string(point_count) + ", counted from 0");
        }
    }
    if (!count) throw lines.expected("a face such as \"3 0 1 2\"", content);
}

}  // namespace

MeshFile read_off(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    Lines lines(path, text);
    std::string_view content;
    read_magic(path, lines, content);
    const Header header = read_counts(path, lines, content);

    MeshFile mesh;
    std::string plain = "OFF\n" + std::to_string(header.points) + ' ' + std::to_string(header.faces) + " 0\n";
    plain.reserve(plain.size() + lines.remaining());
    while (mesh.point_lines.size() < header.points && next_content(lines, content)) {
        require_decimals(content, 3, "\"x y z\"", content, lines);
        (plain += content) += '\n';
        mesh.point_lines.push_back(lines.number());
    }
    while (mesh.face_lines.size() < header.faces && next_content(lines, content)) {
        check_face(content, header.points, lines);
        (plain += content) += '\n';
        mesh.face_lines.push_back(lines.number());
    }
    const auto promised = [&](uint64_t count, const char* what, uint64_t found) {
        return Error(path.string() + ": ends after " + std::to_string(found) + " of " + std::to_string(count) + " " +
                     what);
    };
    if (mesh.point_lines.size() < header.points) throw promised(header.points, "vertices", mesh.point_lines.size());
    if (mesh.face_lines.size() < header.faces) throw promised(header.faces, "faces", mesh.face_lines.size());
    if (next_content(lines, content)) {
        notes.push_back(path.string() + ": what follows the last face, from line " + std::to_string(lines.number()) +
                        " on, is not used");
    }
    if (!read_with_cgal(MeshFormat::kOff, std::move(plain), mesh))
        throw Error(path.string() + ": cannot be read as OFF");
    return mesh;
}

}  // namespace flipscope::io
