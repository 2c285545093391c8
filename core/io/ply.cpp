// PLY, as text or binary of either byte order: a header that names elements and their properties, then the elements.
// CGAL is handed a header of our own: it allocates what a list claims to hold, skips types it does not know, and takes
// a coordinate that is no float for one. Numbers written as text become doubles, even where the header says float.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

struct Type {
    std::string_view name, other_name;
    size_t size;  // bytes
    bool is_signed, is_real;
};

constexpr std::array<Type, 8> kTypes = {{{"char", "int8", 1, true, false},
                                         {"uchar", "uint8", 1, false, false},
                                         {"short", "int16", 2, true, false},
                                         {"ushort", "uint16", 2, false, false},
                                         {"int", "int32", 4, true, false},
                                         {"uint", "uint32", 4, false, false},
                                         {"float", "float32", 4, true, true},
                                         {"double", "float64", 8, true, true}}};

struct Property {
    std::string name;
    const Type* count = nullptr;  // of a list's length; nullptr: a single number
    const Type* item = nullptr;
};

struct Element {
    std::string name;
    uint64_t count = 0;
    std::vector<Property> properties;
    bool is_vertex() const { return name == "vertex" || name == "vertices"; }
    bool is_face() const { return name == "face" || name == "faces"; }
};

bool is_vertex_list(const Property& property) {
    return property.count && (property.name == "vertex_indices" || property.name == "vertex_index");
}

enum class Encoding { kText, kLittleEndian, kBigEndian };

struct Header {
    Encoding encoding = Encoding::kText;
    std::vector<Element> elements;
    uint64_t lines = 0;
    size_t size = 0;  // bytes
};

const Type& type_of(std::string_view name, std::string_view line, const Lines& lines) {
    for (const Type& type : kTypes) {
        if (type.name == name || type.other_name == name) return type;
    }
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

Header read_header(const std::filesystem::path& path, std::string_view text) {
    Header header;
    // The body is no text: lines are looked for in the header alone.
    const size_t end = text.find("end_header");
    if (!text.starts_with("ply")) throw Error(path.string() + ": is not a PLY file: it does not begin with \"ply\"");
    if (end == text.npos) throw Error(path.string() + ": ends within its header: there is no \"end_header\"");
    Lines lines(path, text.substr(0, end));
    bool has_format = false;
    for (std::string_view line; lines.next(line);) {
        std::string_view rest = trimmed(line);
        if (rest.empty() || lines.number() == 1) continue;
        const std::string_view word = take_word(rest);
        if (word == "format") {
            const std::string_view name = take_word(rest);
            if (name != "ascii" && name != "binary_little_endian" && name != "binary_big_endian") {
                throw lines.expected("ascii, binary_little_endian or binary_big_endian", line);
            }
            header.encoding = name == "ascii"                  ? Encoding::kText
                              : name == "binary_little_endian" ? Encoding::kLittleEndian
                                                               : Encoding::kBigEndian;
            has_format = true;
        } else if (word == "element") {
            Element element{std::string(take_word(rest)), 0, {}};
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
    if (!has_format) throw Error(path.string() + ": the header does not say its format");
    header.lines = lines.number() + 1;
    header.size = end + std::strlen("end_header");
    if (header.size < text.size() && text[header.size] == '\r') ++header.size;
    if (header.size < text.size() && text[header.size] == '\n') ++header.size;
    return header;
}

/// Whatever CGAL would not read as it is meant: which elements there are, and of which types.
void check_elements(const std::filesystem::path& path, const Header& header) {
    const auto fail = [&](const std::string& why) { return Error(path.string() + ": " + why); };
    int vertex_elements = 0, face_elements = 0;
    for (const Element& element : header.elements) {
        if (element.properties.empty()) throw fail("the element " + element.name + " has no properties");
        std::array<int, 3> axes{};
        int lists = 0;
        for (const Property& property : element.properties) {
            if (element.is_vertex() && property.name.size() == 1 && property.name >= "x" && property.name <= "z") {
                ++axes[property.name[0] - 'x'];
                if (property.count || (header.encoding != Encoding::kText && !property.item->is_real)) {
                    throw fail("the vertices' " + property.name + " is neither float nor double");
                }
            }
            if (element.is_face() && is_vertex_list(property)) {
                ++lists;
                if (header.encoding != Encoding::kText && (property.item->size != 4 || property.item->is_real)) {
                    throw fail("the faces name their vertices as " + std::string(property.item->name) +
                               "; int and uint are read");
                }
            }
        }
        if (element.is_vertex() && (++vertex_elements > 1 || axes[0] != 1 || axes[1] != 1 || axes[2] > 1)) {
            throw fail("the vertices must have one x, one y and perhaps one z");
        }
        if (element.is_face() && (++face_elements > 1 || lists != 1)) {
            throw fail("the faces must have one list called vertex_indices or vertex_index");
        }
    }
    if (vertex_elements == 0) throw fail("there is no element called vertex");
}

Error ends_within(const std::filesystem::path& path, const Element& element, uint64_t index) {
    return Error(path.string() + ": ends within " + element.name + " " + std::to_string(index) + " of " +
                 std::to_string(element.count) + ", counted from 0");
}

/// Looks at every length in a binary body; returns the size of the body.
size_t measure_binary(const std::filesystem::path& path, const Header& header, std::string_view body) {
    size_t at = 0;
    const auto take_length = [&](const Type& type, const Element& element, uint64_t index) {
        uint64_t value = 0;
        for (size_t i = 0; i < type.size; ++i) {
            const size_t shift = header.encoding == Encoding::kLittleEndian ? i : type.size - 1 - i;
            value |= uint64_t{static_cast<unsigned char>(body[at + i])} << (8 * shift);
        }
        if (type.is_signed && (value >> (8 * type.size - 1)) != 0) {
            throw Error(path.string() + ": " + element.name + " " + std::to_string(index) +
                        ": a list of negative length");
        }
        at += type.size;
        return value;
    };
    for (const Element& element : header.elements) {
        // The room is compared before anything is multiplied; an element takes a byte at least.
        if (element.count > body.size() - at) {
            throw Error(path.string() + ": promises " + std::to_string(element.count) + " of " + element.name +
                        ", but only " + std::to_string(body.size() - at) + " bytes are left for them");
        }
        for (uint64_t i = 0; i < element.count; ++i) {
            for (const Property& property : element.properties) {
                uint64_t count = 1;
                if (property.count) {
                    if (body.size() - at < property.count->size) throw ends_within(path, element, i);
                    count = take_length(*property.count, element, i);
                }
                if (count > (body.size() - at) / property.item->size) throw ends_within(path, element, i);
                at += count * property.item->size;
            }
        }
    }
    return at;
}

/// Looks at every line of a body of text, one for each element, and appends them to `plain`.
void copy_text(const std::filesystem::path& path, const Header& header, std::string_view text, MeshFile& mesh,
               std::string& plain) {
    Lines lines(path, text);
    std::string_view line;
    for (uint64_t i = 0; i < header.lines; ++i) lines.next(line);
    for (const Element& element : header.elements) {
        if (element.count > lines.remaining()) {
            throw Error(path.string() + ": promises " + std::to_string(element.count) + " of " + element.name +
                        ", but only " + std::to_string(lines.remaining()) + " bytes are left for them");
        }
        for (uint64_t i = 0; i < element.count; ++i) {
            std::string_view rest;
            while (rest.empty()) {
                if (!lines.next(line)) throw ends_within(path, element, i);
                rest = trimmed(line);
            }
            plain += rest;
            plain += '\n';
            require_decimals(rest, 1, "numbers", line, lines);
            for (const Property& property : element.properties) {
                uint64_t count = 1;
                if (property.count) {
                    const std::optional<uint64_t> length = whole(take_word(rest));
                    if (!length || *length > 0xffff)
                        throw lines.expected("a list's length, then as many numbers", line);
                    count = *length;
                }
                const bool indices = is_vertex_list(property);
                for (uint64_t k = 0; k < count; ++k) {
                    const std::string_view word = take_word(rest);
                    if (word.empty()) throw lines.expected("more numbers for a " + element.name, line);
                    if (indices && !whole<int32_t>(word)) throw lines.expected("a vertex of a face", word);
                }
            }
            if (!rest.empty()) throw lines.expected("fewer numbers for a " + element.name, line);
            if (element.is_vertex()) mesh.point_lines.push_back(lines.number());
            if (element.is_face()) mesh.face_lines.push_back(lines.number());
        }
    }
}

/// The header with no more in it than there is to read: other elements and properties lose their names.
std::string plain_header(const Header& header) {
    const bool text = header.encoding == Encoding::kText;
    std::string plain = std::string("ply\nformat ") +
                        (text                                         ? "ascii"
                         : header.encoding == Encoding::kLittleEndian ? "binary_little_endian"
                                                                      : "binary_big_endian") +
                        " 1.0\n";
    for (const Element& element : header.elements) {
        const char* name = element.is_vertex() ? "vertex" : element.is_face() ? "face" : "other";
        plain += std::string("element ") + name + ' ' + std::to_string(element.count) + '\n';
        for (const Property& property : element.properties) {
            const bool indices = element.is_face() && is_vertex_list(property);
            const bool axis =
                element.is_vertex() && property.name.size() == 1 && property.name >= "x" && property.name <= "z";
            plain += "property ";
            if (property.count) plain += "list " + std::string(text ? "ushort" : property.count->name) + ' ';
            plain += text ? (indices ? "int" : "double") : property.item->name;
            plain += indices ? " vertex_indices\n" : axis ? ' ' + property.name + '\n' : " unused\n";
        }
    }
    return plain + "end_header\n";
}

}  // namespace

MeshFile read_ply(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    const Header header = read_header(path, text);
    check_elements(path, header);
    MeshFile mesh;
    std::string plain = plain_header(header);
    plain.reserve(plain.size() + text.size());
    if (header.encoding == Encoding::kText) {
        copy_text(path, header, text, mesh, plain);
    } else {
        const std::string_view body = text.substr(header.size);
        const size_t size = measure_binary(path, header, body);
        plain += body.substr(0, size);
        if (size < body.size()) {
            notes.push_back(path.string() + ": " + std::to_string(body.size() - size) +
                            " bytes after the last element are not used");
        }
    }
    for (const Element& element : header.elements) {
        if (!element.is_vertex() && !element.is_face() && element.count > 0) {
            notes.push_back(path.string() + ": the element " + element.name + " is not used (" +
                            std::to_string(element.count) + ")");
        }
    }
    if (!read_with_cgal(MeshFormat::kPly, std::move(plain), mesh))
        throw Error(path.string() + ": cannot be read as PLY");
    return mesh;
}

}  // namespace flipscope::io
