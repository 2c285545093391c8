// OFF, as described by Geomview: the word OFF after optional letters, "vertices faces edges", the vertices, and for
// each face its number of vertices and their indices. Line breaks hardly matter: counts may follow the word or touch it
// ("OFF8 6 12"), and a vertex or a face may continue in the next line. The rest of its line (normals, colours, texture
// coordinates) is ignored, and occurs even in files whose first word does not announce it.

#include <utility>

#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

constexpr uint64_t kMost = 0x7fffffff;  // the limit of 32-bit ids

struct Header {
    uint64_t points = 0, faces = 0;
    size_t coordinates = 3;    // per vertex
    bool homogeneous = false;  // the last one divides the others
};

class OffReader {
  public:
    explicit OffReader(const InputFile& file) : file_(file), lines_(file.path, file.bytes) {}

    MeshFile read() {
        read_word();
        read_counts();
        MeshFile mesh;
        while (mesh.points.size() < header_.points) read_vertex(mesh);
        while (mesh.face_ends.size() < header_.faces) read_face(mesh);
        std::string_view word;
        if (words_.next(word))
            file_.note("what follows the last face, from line " + std::to_string(lines_.number()) + " on, is not used");
        return mesh;
    }

  private:
    /// "OFF", "COFF", "STCNOFF", "4OFF", "nOFF", …; leaves adjacent digits to read_counts().
    void read_word() {
        std::string_view word;
        if (!words_.next(word)) throw file_.fail("the file is empty");
        const std::string_view line = words_.line();
        while (word.starts_with("ST") || word.starts_with('C') || word.starts_with('N'))  // some programs reorder them
            word.remove_prefix(word.starts_with("ST") ? 2 : 1);
        header_.homogeneous = word.starts_with('4');
        if (header_.homogeneous) word.remove_prefix(1);
        const bool any_dimension = word.starts_with('n');
        if (any_dimension) word.remove_prefix(1);
        if (!word.starts_with("OFF")) throw lines_.expected("\"OFF\"", line);
        word.remove_prefix(3);
        if (word.starts_with("BINARY") || words_.rest().starts_with("BINARY"))
            throw lines_.expected("OFF as text", line);
        touching_ = word;
        header_.coordinates = header_.homogeneous ? 4 : 3;
        if (!any_dimension) return;
        const std::optional<uint64_t> dimension = whole(next_count());
        if (header_.homogeneous || (dimension != 2u && dimension != 3u))
            throw lines_.expected("vertices of two or three coordinates (OFF, 4OFF, nOFF 3)", words_.line());
        header_.coordinates = *dimension;
    }

    std::string_view next_count() {
        std::string_view word = std::exchange(touching_, {});
        if (word.empty() && !words_.next(word)) throw file_.fail("ends before the number of vertices");
        return word;
    }

    void read_counts() {
        const std::optional<uint64_t> points = whole(next_count());
        const uint64_t line = lines_.number();
        std::optional<uint64_t> faces;
        if (points) faces = whole(next_count());
        // The number of edges is ignored, and may be absent if the line ends.
        const bool has_edges = !words_.rest().empty() || lines_.number() != line;
        if (!faces || (has_edges && !whole(next_count())) || !words_.rest().empty())
            throw lines_.expected("\"vertices faces edges\", all whole numbers", words_.line());
        // A coordinate takes at least "0" and a blank, a face "1 0" and a blank; the last line may omit it.
        const uint64_t room = lines_.remaining() + 1;
        if (*points > kMost || *faces > kMost || *points * 2 * header_.coordinates + *faces * 4 > room)
            throw lines_.fail(excerpt(words_.line()) + " promises more than the file has room for: " +
                              std::to_string(lines_.remaining()) + " bytes follow");
        header_.points = *points;
        header_.faces = *faces;
    }

    void read_vertex(MeshFile& mesh) {
        double values[4] = {0, 0, 0, 1};
        uint64_t line = 0;
        std::string_view first, word;
        for (size_t k = 0; k < header_.coordinates; ++k) {
            if (!words_.next(word)) throw ends_after(mesh.points.size(), header_.points, "vertices");
            if (k == 0) line = lines_.number(), first = words_.line();
            values[k] = coordinate(word, "\"x y z\"", words_.line(), lines_);
        }
        require_numbers(words_.rest(), "\"x y z\"", words_.line(), lines_);
        finish_line(line, first, "a vertex of " + std::to_string(header_.coordinates) + " coordinates");
        if (header_.homogeneous && values[3] != 1) {
            if (values[3] == 0) throw lines_.expected("a vertex whose fourth coordinate is not 0", words_.line());
            for (size_t k = 0; k < 3; ++k) values[k] /= values[3];
        }
        mesh.points.push_back({values[0], values[1], values[2]});
        mesh.point_lines.push_back(line);
    }

    void read_face(MeshFile& mesh) {
        std::string_view word;
        if (!words_.next(word)) throw ends_after(mesh.face_ends.size(), header_.faces, "faces");
        const uint64_t line = lines_.number();
        const std::string_view first = words_.line();
        const uint64_t count = lines_.integer(word, "a face such as \"3 0 1 2\"", first);
        const std::string what = "a face of " + std::to_string(count) + " vertices";
        if (count > (words_.rest().size() + lines_.remaining() + 1) / 2) throw lines_.expected(what, first);
        for (uint64_t i = 0; i < count; ++i) {
            if (!words_.next(word)) throw ends_after(mesh.face_ends.size(), header_.faces, "faces");
            const uint64_t id = lines_.integer(word, what, words_.line());
            if (id >= header_.points)
                throw lines_.fail("the face names vertex " + std::string(word) + ", but there are " +
                                  std::to_string(header_.points) + ", counted from 0");
            mesh.corners.push_back(static_cast<uint32_t>(id));
        }
        finish_line(line, first, what);
        mesh.face_ends.push_back(mesh.corners.size());
        mesh.face_lines.push_back(line);
    }

    /// The rest of the line is colours, unless an earlier vertex or face lacks a number, so that the line belongs to
    /// the next one: then the file ends too early, and the first such place is reported.
    void finish_line(uint64_t line, std::string_view first, const std::string& what) {
        if (!doubt_ && lines_.number() != line && !words_.rest().empty())
            doubt_ = Error(line_place(file_.path, line) + "expected " + what + ", found " + excerpt(first));
        words_.skip_line();
    }

    Error ends_after(uint64_t found, uint64_t count, const char* what) const {
        if (doubt_) return *doubt_;
        return file_.fail("ends after " + std::to_string(found) + " of " + std::to_string(count) + " " + what);
    }

    const InputFile& file_;
    Lines lines_;
    Words words_{lines_};
    Header header_;
    std::string_view touching_;  // the word OFF
    std::optional<Error> doubt_;
};

}  // namespace

MeshFile read_off(const InputFile& file) { return OffReader(file).read(); }

}  // namespace flipscope::io
