// PLY, as text or binary of either byte order: a header with elements and their properties, then the elements, in text
// each on one or more lines. Reads vertices, faces and strips of triangles, and skips other elements; points may occur
// alone. Numbers in text become doubles, even if the header says float.

#include <array>
#include <cmath>
#include <cstring>

#include "compute/text.h"
#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

struct Type {
    std::string_view name, other_name;
    size_t size;  // bytes
    bool is_real = name == "float" || name == "double", is_signed = !name.starts_with('u');
};

constexpr Type kPlyTypes[] = {{"char", "int8", 1},     {"uchar", "uint8", 1},  {"short", "int16", 2},
                              {"ushort", "uint16", 2}, {"int", "int32", 4},    {"uint", "uint32", 4},
                              {"long", "int64", 8},    {"ulong", "uint64", 8}, {"float", "float32", 4},
                              {"double", "float64", 8}};

struct Property {
    std::string name;
    const Type* count = nullptr;  // of a list's length; nullptr: a single number
    const Type* item = nullptr;
};

struct Element {
    std::string name;  // for messages: printable and short
    uint64_t count = 0;
    std::vector<Property> properties;
    bool is_vertex() const { return name == "vertex" || name == "vertices"; }
    bool is_face() const { return name == "face" || name == "faces"; }
    bool is_strips() const { return name == "tristrips" || name == "tristrip"; }
    bool is_used() const { return is_vertex() || is_face() || is_strips(); }
};

bool is_axis(const Property& property) {
    return property.name.size() == 1 && property.name >= "x" && property.name <= "z";
}

bool is_vertex_list(const Property& property) {
    return property.count && (property.name == "vertex_indices" || property.name == "vertex_index");
}

enum class Encoding { kText, kLittleEndian, kBigEndian };

struct PlyHeader {
    Encoding encoding = Encoding::kText;
    std::vector<Element> elements;
    uint64_t lines = 0;
    size_t size = 0;  // bytes
};

const Type& type_of(std::string_view name, std::string_view line, const Lines& lines) {
    for (const Type& type : kPlyTypes)
        if (type.name == name || type.other_name == name) return type;
    throw lines.expected("a type such as float, double or int", line);
}

Property read_property(std::string_view rest, std::string_view line, const Lines& lines) {
    Property property;
    std::string_view type = take_word(rest);
    if (type == "list") {
        property.count = &type_of(take_word(rest), line, lines);
        if (property.count->is_real) throw lines.expected("a list whose length is a whole number", line);
        type = take_word(rest);
    }
    property.item = &type_of(type, line, lines);
    property.name = take_word(rest);
    if (property.name.empty() || !rest.empty()) throw lines.expected("the name of a property", line);
    return property;
}

PlyHeader read_header(const InputFile& file) {
    const std::string_view text = file.bytes;
    PlyHeader header;
    // The body may be binary: search for lines only in the header.
    size_t end = text.find("end_header");
    while (end != text.npos && end > 0 && text[end - 1] != '\n' && text[end - 1] != '\r')
        end = text.find("end_header", end + 1);  // within a comment
    if (!text.starts_with("ply")) throw file.fail("is not a PLY file: it does not begin with \"ply\"");
    if (end == text.npos) throw file.fail("ends within its header: there is no \"end_header\"");
    Lines lines(file.path, text.substr(0, end));
    bool has_format = false;
    for (std::string_view line; lines.next(line);) {
        std::string_view rest = trimmed(line);
        if (rest.empty() || lines.number() == 1) continue;
        const std::string_view word = take_word(rest);
        if (word == "format") {
            const std::string_view name = take_word(rest);
            if (name != "ascii" && name != "binary_little_endian" && name != "binary_big_endian")
                throw lines.expected("ascii, binary_little_endian or binary_big_endian", line);
            header.encoding = name == "ascii"                  ? Encoding::kText
                              : name == "binary_little_endian" ? Encoding::kLittleEndian
                                                               : Encoding::kBigEndian;
            has_format = true;
        } else if (word == "element") {
            Element element{printable_within(take_word(rest), kLongestColumnName), 0, {}};
            const std::optional<uint64_t> count = whole(take_word(rest));
            if (!count || !rest.empty()) throw lines.expected("\"element name count\"", line);
            element.count = *count;
            header.elements.push_back(element);
        } else if (word == "property" && !header.elements.empty()) {
            header.elements.back().properties.push_back(read_property(rest, line, lines));
        } else if (word != "comment" && word != "obj_info") {
            throw lines.expected("an element, a property or a comment", line);
        }
    }
    if (!has_format) throw file.fail("the header does not say its format");
    header.lines = lines.number() + 1;
    header.size = end + std::strlen("end_header");
    const bool returns_alone = text.substr(0, end).find('\n') == text.npos;
    if (header.size < text.size() && text[header.size] == '\r') ++header.size;
    if (!returns_alone && header.size < text.size() && text[header.size] == '\n') ++header.size;
    return header;
}

/// Validates the elements and their types.
void check_elements(const InputFile& file, const PlyHeader& header) {
    int vertex_elements = 0, face_elements = 0;
    for (const Element& element : header.elements) {
        if (element.properties.empty() && (element.count > 0 || element.is_vertex()))
            throw file.fail("the element " + element.name + " has no properties");
        const bool has_faces = element.is_face() || element.is_strips();
        const std::string what = element.is_face() ? "faces" : "strips";
        std::array<int, 3> axes{};
        int lists = 0;
        for (const Property& property : element.properties) {
            if (element.is_vertex() && is_axis(property)) {
                ++axes[property.name[0] - 'x'];
                if (property.count) throw file.fail("the vertices' " + property.name + " is a list, and no number");
            }
            if (has_faces && is_vertex_list(property)) {
                ++lists;
                if (header.encoding != Encoding::kText && property.item->is_real)
                    throw file.fail("the " + what + " name their vertices as " + std::string(property.item->name) +
                                    "; whole numbers of any size are read");
            }
        }
        if (element.is_vertex() && (++vertex_elements > 1 || axes[0] != 1 || axes[1] != 1 || axes[2] > 1))
            throw file.fail("the vertices must have one x, one y and perhaps one z");
        face_elements += element.is_face();
        const bool needs_list = has_faces && (element.count > 0 || !element.properties.empty());
        if ((element.is_face() && face_elements > 1) || (needs_list && lists != 1))
            throw file.fail("the " + what + " must have one list called vertex_indices or vertex_index");
    }
    if (vertex_elements == 0) throw file.fail("there is no element called vertex");
}

/// The numbers of one element after another, from text or binary. Checks that each exists before reading it.
class Body {
  public:
    Body(const InputFile& file, const PlyHeader& header)
        : file_(file),
          is_text_(header.encoding == Encoding::kText),
          is_big_endian_(header.encoding == Encoding::kBigEndian),
          lines_(file.path, file.bytes),
          bytes_(file.bytes.view().substr(header.size)) {
        for (uint64_t i = 0; is_text_ && i < header.lines; ++i) lines_.next(line_);
    }

    /// Call it before the numbers of element `index`.
    void begin(const Element& element, uint64_t index) {
        element_ = &element;
        index_ = index;
        if (!is_text_) return;
        if (!next_line()) throw ends_within();
        first_ = line_;
        first_number_ = lines_.number();
    }
    /// Call it after them.
    void end() const {
        if (!is_text_ || rest_.empty()) return;
        if (lines_.number() == first_number_) throw lines_.expected("fewer numbers for a " + element_->name, line_);
        // The line has more numbers than were missing, so it belongs to the next element.
        throw Error(line_place(file_.path, first_number_) + "expected more numbers for a " + element_->name +
                    ", found " + excerpt(trimmed(first_)));
    }
    double coordinate(const Type& type) {
        if (!is_text_) return binary_number(type);
        const std::string_view word = take_text();
        if (const std::optional<double> value = number_of(word); value && std::isnan(*value)) return *value;
        return io::coordinate(word, "numbers", line_, lines_);
    }
    /// NaN for non-finite numbers.
    double number(const Type& type) {
        double value = NAN;
        if (is_text_) {
            std::string_view word = take_text();
            require_numbers(word, "numbers", line_, lines_);
            if (!take_number(word, value)) return NAN;
        } else {
            value = binary_number(type);
        }
        return std::isfinite(value) ? value : NAN;
    }
    /// The number of items in a list; checks that they fit.
    uint64_t length(const Property& property) {
        if (is_text_) {
            const auto length = lines_.integer(take_text(), "a list's length, then as many numbers", line_);
            if (length > (rest_.size() + lines_.remaining() + 1) / 2) throw too_few();
            return length;
        }
        const uint64_t length = take_bits(*property.count);
        if (property.count->is_signed && with_sign(length, property.count->size) < 0)
            throw Error(place() + "a list of negative length");
        if (length > bytes_.size() / property.item->size) throw ends_within();
        return length;
    }
    /// Beyond 2^63: negative.
    int64_t vertex(const Type& type) {
        if (is_text_) {
            const std::string_view word = take_text();
            return lines_.integer<int64_t>(word, "a vertex of a face", word);
        }
        const uint64_t bits = take_bits(type);
        return type.is_signed ? with_sign(bits, type.size) : static_cast<int64_t>(bits);
    }
    void skip(const Type& type, uint64_t count) {
        if (is_text_) {
            while (count-- > 0) require_numbers(take_text(), "numbers", line_, lines_);
        } else {
            if (count > bytes_.size() / type.size) throw ends_within();
            bytes_.remove_prefix(count * type.size);
        }
    }
    /// Remaining bytes.
    size_t left() const { return is_text_ ? lines_.remaining() : bytes_.size(); }
    /// The line of this element; 0: no lines.
    uint64_t line() const { return first_number_; }
    std::string place() const {
        return is_text_ ? lines_.where()
                        : file_.path.string() + ": " + element_->name + " " + std::to_string(index_) + ": ";
    }
    /// Throws Error if the elements do not fit: each takes at least a byte.
    void require_room(const Element& element) const {
        if (element.count <= left()) return;
        throw file_.fail("promises " + std::to_string(element.count) + " of " + element.name + ", but only " +
                         std::to_string(left()) + " bytes are left for them");
    }

  private:
    bool next_line() {
        do {
            if (!lines_.next(line_)) return false;
            rest_ = trimmed(line_);
        } while (rest_.empty());
        return true;
    }
    Error ends_within() const {
        return file_.fail("ends within " + element_->name + " " + std::to_string(index_) + " of " +
                          std::to_string(element_->count) + ", counted from 0");
    }
    Error too_few() const { return lines_.expected("more numbers for a " + element_->name, line_); }
    std::string_view take_text() {
        if (rest_.empty() && !next_line()) throw too_few();
        return take_word(rest_);
    }
    uint64_t take_bits(const Type& type) {
        if (bytes_.size() < type.size) throw ends_within();
        const uint64_t value = integer_at(bytes_, 0, type.size, is_big_endian_);
        bytes_.remove_prefix(type.size);
        return value;
    }
    double binary_number(const Type& type) {
        return number_of(take_bits(type), type.size, type.is_real, type.is_signed);
    }

    const InputFile& file_;
    const bool is_text_, is_big_endian_;
    const Element* element_ = nullptr;
    uint64_t index_ = 0;
    // Of text.
    Lines lines_;
    std::string_view line_, rest_, first_;
    uint64_t first_number_ = 0;  // of the first line of the element
    // Of binary.
    std::string_view bytes_;
};

void read_vertex(Body& body, const Element& element, MeshFile& mesh) {
    double place[3] = {0, 0, 0};
    size_t attribute = 0;
    for (const Property& property : element.properties) {
        if (is_axis(property))
            place[property.name[0] - 'x'] = body.coordinate(*property.item);
        else if (!property.count)
            mesh.attributes[attribute++].values.push_back(body.number(*property.item));
        else
            body.skip(*property.item, body.length(property));
    }
    body.end();
    mesh.points.push_back({place[0], place[1], place[2]});
    if (body.line()) mesh.point_lines.push_back(body.line());
}

void end_face(const Body& body, MeshFile& mesh) {
    mesh.face_ends.push_back(mesh.corners.size());
    if (body.line()) mesh.face_lines.push_back(body.line());
}

/// `what`: "face" or "strip".
uint32_t checked(const Body& body, const char* what, int64_t id, uint64_t vertex_count) {
    if (id >= 0 && static_cast<uint64_t>(id) < vertex_count) return static_cast<uint32_t>(id);
    throw Error(body.place() + "the " + what + " names vertex " + std::to_string(id) + ", but there are " +
                std::to_string(vertex_count) + ", counted from 0");
}

/// Calls use(id) for each vertex of an element's list, and skips its other properties.
template <class Use>
void read_vertex_list(Body& body, const Element& element, const Use& use) {
    for (const Property& property : element.properties) {
        const uint64_t count = property.count ? body.length(property) : 1;
        if (!element.is_used() || !is_vertex_list(property))
            body.skip(*property.item, count);
        else
            for (uint64_t k = 0; k < count; ++k) use(body.vertex(*property.item));
    }
    body.end();
}

void read_face(Body& body, const Element& element, uint64_t vertex_count, MeshFile& mesh) {
    read_vertex_list(body, element,
                     [&](int64_t id) { mesh.corners.push_back(checked(body, "face", id, vertex_count)); });
    end_face(body, mesh);
}

/// Each vertex makes a triangle with the two before it, with alternating order; -1 begins another strip. Repeated
/// vertices turn a strip around corners: such triangles are dropped. Returns the number of triangles.
uint64_t read_strips(Body& body, const Element& element, uint64_t vertex_count, MeshFile& mesh) {
    uint64_t made = 0, length = 0;  // length: of this strip so far
    uint32_t before = 0, last = 0;
    read_vertex_list(body, element, [&](int64_t id) {
        length = id == -1 ? 0 : length + 1;
        if (id == -1) return;
        const uint32_t next = checked(body, "strip", id, vertex_count);
        if (length >= 3 && before != last && last != next && next != before) {
            const bool turned = length % 2 == 0;
            mesh.corners.insert(mesh.corners.end(), {turned ? last : before, turned ? before : last, next});
            end_face(body, mesh);
            ++made;
        }
        before = last;
        last = next;
    });
    return made;
}

}  // namespace

MeshFile read_ply(const InputFile& file) {
    const PlyHeader header = read_header(file);
    check_elements(file, header);
    const bool binary = header.encoding != Encoding::kText;
    Body body(file, header);

    uint64_t vertex_count = 0, strips = 0, of_strips = 0;
    for (const Element& element : header.elements) {
        if (element.is_vertex()) vertex_count = element.count;
        if (element.is_strips()) strips += element.count;
    }
    MeshFile mesh;
    for (const Element& element : header.elements) {
        body.require_room(element);
        if (element.is_vertex())
            for (const Property& property : element.properties)
                if (!property.count && !is_axis(property))
                    mesh.attributes.push_back({printable_within(property.name, kLongestColumnName), {}});
        for (uint64_t i = 0; i < element.count; ++i) {
            body.begin(element, i);
            if (element.is_vertex()) {
                read_vertex(body, element, mesh);
            } else if (element.is_face()) {
                read_face(body, element, vertex_count, mesh);
            } else if (element.is_strips()) {
                of_strips += read_strips(body, element, vertex_count, mesh);
            } else {
                read_vertex_list(body, element, [](int64_t) {});
            }
        }
    }
    if (binary && body.left() > 0)
        file.note(std::to_string(body.left()) + " bytes after the last element are not used");
    for (const Element& element : header.elements)
        if (!element.is_used() && element.count > 0)
            file.note("the element " + element.name + " is not used (" + std::to_string(element.count) + ")");
    if (strips > 0)
        file.note(count_text(strips, "list of strips is", "lists of strips are") + " cut into " +
                  count_text(of_strips, "triangle", "triangles"));
    return mesh;
}

}  // namespace flipscope::io
