// STL: triangles that repeat their vertices, as text ("solid", "facet", "vertex x y z", ...) or binary (80 bytes
// without meaning, a count, 50 bytes a triangle). CGAL joins the equal vertices. It goes by the first word, which many
// a binary file has too, and stumbles over names such as "solid solid"; it is handed a text without names.

#include <algorithm>
#include <cctype>

#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

constexpr size_t kBinaryHeader = 80, kBinaryFrame = 84, kBinaryTriangle = 50;

uint64_t binary_count(std::string_view text) {
    uint64_t count = 0;
    for (size_t i = 0; i < 4; ++i) {
        count |= uint64_t{static_cast<unsigned char>(text[kBinaryHeader + i])} << (8 * i);
    }
    return count;
}

/// A NaN is equal to every vertex when CGAL looks for equal ones, so it must not get that far.
void require_finite(const std::filesystem::path& path, std::string_view text, uint64_t count) {
    for (uint64_t t = 0; t < count; ++t) {
        for (size_t i = 3; i < 12; ++i) {  // 0 to 2 are the normal, which is not used
            const size_t at = kBinaryFrame + t * kBinaryTriangle + 4 * i;
            const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[at + k]); };
            if ((byte(3) & 0x7f) != 0x7f || (byte(2) & 0x80) == 0) continue;
            throw Error(path.string() + ": triangle " + std::to_string(t) + ": " + "xyz"[i % 3] +
                        " is not a finite number");
        }
    }
}

std::string lower(std::string_view word) {
    std::string result(word);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// Begins like text: "solid", then a blank or the end of the line.
bool says_solid(std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    text.remove_prefix(begin);
    return lower(text.substr(0, 5)) == "solid" && (text.size() == 5 || is_blank(text[5]) || text[5] == '\n');
}

/// The words that matter, one statement a line, with the line of each facet.
std::string plain_text(const std::filesystem::path& path, std::string_view text, MeshFile& mesh) {
    enum class In { kNothing, kSolid, kFacet } in = In::kNothing;
    std::string plain;
    plain.reserve(text.size());
    int vertices = 0;
    Lines lines(path, text);
    for (std::string_view line; lines.next(line);) {
        std::string_view rest = trimmed(line);
        if (rest.empty()) continue;
        const std::string word = lower(take_word(rest));
        if (word == "solid" && in == In::kNothing) {
            plain += "solid\n";
            in = In::kSolid;
        } else if (word == "facet" && in == In::kSolid) {
            plain += "facet\n";
            in = In::kFacet;
            vertices = 0;
            mesh.face_lines.push_back(lines.number());
        } else if (word == "vertex" && in == In::kFacet && ++vertices <= 3) {
            ((plain += "vertex ") += take_coordinates(rest, 3, "\"vertex x y z\"", line, lines)) += '\n';
        } else if (word == "endfacet" && in == In::kFacet && vertices == 3) {
            plain += "endfacet\n";
            in = In::kSolid;
        } else if (word == "endsolid" && in == In::kSolid) {
            plain += "endsolid\n";
            in = In::kNothing;
        } else if (in != In::kFacet || (word != "outer" && word != "endloop")) {
            const char* what = in == In::kNothing ? "\"solid\""
                               : in == In::kSolid ? "\"facet\" or \"endsolid\""
                                                  : "a facet of three vertices";
            throw lines.expected(what, line);
        }
    }
    if (in != In::kNothing) {
        throw Error(path.string() + ": ends within " +
                    (in == In::kFacet ? "facet " + std::to_string(mesh.face_lines.size()) : "a solid") +
                    ", there is no \"endsolid\"");
    }
    return plain;
}

}  // namespace

MeshFile read_stl(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    MeshFile mesh;
    std::string plain;
    uint64_t count = 0;
    const uint64_t room = text.size() < kBinaryFrame ? 0 : (text.size() - kBinaryFrame) / kBinaryTriangle;
    const bool fits = text.size() >= kBinaryFrame && binary_count(text) == room &&
                      text.size() == kBinaryFrame + room * kBinaryTriangle;
    if (says_solid(text) && !fits) {
        plain = plain_text(path, text, mesh);
        count = mesh.face_lines.size();
    } else {
        if (text.size() < kBinaryFrame) throw Error(path.string() + ": is neither text nor binary STL");
        count = binary_count(text);
        if (count > room) {
            throw Error(path.string() + ": promises " + std::to_string(count) + " triangles, but has room for " +
                        std::to_string(room) + "; if it should be text, it must begin with \"solid\"");
        }
        require_finite(path, text, count);
        const size_t end = kBinaryFrame + count * kBinaryTriangle;
        if (end < text.size()) {
            notes.push_back(path.string() + ": " + std::to_string(text.size() - end) +
                            " bytes after the last triangle are not used");
        }
        plain = std::string(kBinaryHeader, '\0') += text.substr(kBinaryHeader, end - kBinaryHeader);
    }
    if (count == 0) throw Error(path.string() + ": no triangles found");
    if (!read_with_cgal(MeshFormat::kStl, std::move(plain), mesh) || mesh.face_ends.size() != count) {
        throw Error(path.string() + ": cannot be read as STL");
    }
    mesh.joined = 3 * count - mesh.points.size();
    return mesh;
}

}  // namespace flipscope::io
