// NumPy's .npy, versions 1 to 3 (numpy/lib/format.py, NEP 1): a magic string, a Python dictionary, the raw numbers.

#include "io/npy_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <map>

namespace flipscope::io {
namespace {

/// Where the value at the start of `text` ends: at a comma or a brace outside brackets and quotes.
size_t value_length(std::string_view text) {
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote) {
            if (c == '\\')
                ++i;  // what follows ends nothing
            else if (c == quote)
                quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[') {
            ++depth;
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (depth <= 0 && (c == ',' || c == '}')) {
            return i;
        }
    }
    return text.size();
}

std::string_view unquoted(std::string_view text) {
    const bool quotes =
        text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
    return quotes ? text.substr(1, text.size() - 2) : text;
}

/// A text as Python wrote it: quotes and backslashes may have a backslash before them. Others of its escapes stand for
/// what cannot be printed, and stay as they are.
std::string plain_text(std::string_view written) {
    const std::string_view text = unquoted(written);
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool escapes =
            text[i] == '\\' && i + 1 < text.size() && std::string_view("\\'\"").find(text[i + 1]) != text.npos;
        plain += text[escapes ? ++i : i];
    }
    return plain;
}

/// The dictionary's entries, their values as written.
std::map<std::string_view, std::string_view> read_dictionary(const NpyFile& file, std::string_view header) {
    const Error broken = file.fail("expected a dictionary as the header, found " + excerpt(header));
    while (!header.empty() && (is_blank(header.back()) || header.back() == '\n')) header.remove_suffix(1);
    header = trimmed(header);
    if (!header.starts_with('{') || !header.ends_with('}')) throw broken;
    header = trimmed(header.substr(1));
    std::map<std::string_view, std::string_view> entries;
    while (header != "}") {
        const size_t colon = header.find(':');
        if (colon == header.npos) throw broken;
        const std::string_view key = unquoted(trimmed(header.substr(0, colon)));
        header = trimmed(header.substr(colon + 1));
        const size_t length = value_length(header);
        entries[key] = trimmed(header.substr(0, length));
        header.remove_prefix(length);
        if (header.starts_with(',')) header.remove_prefix(1);
        header = trimmed(header);
        if (header.empty()) throw broken;
    }
    return entries;
}

std::optional<std::vector<uint64_t>> parse_shape(std::string_view shape) {
    if (!shape.starts_with('(') || !shape.ends_with(')')) return std::nullopt;
    std::string_view rest = trimmed(shape.substr(1, shape.size() - 2));
    std::vector<uint64_t> sizes;
    while (!rest.empty()) {
        uint64_t size = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
        if (error != std::errc()) return std::nullopt;
        sizes.push_back(size);
        rest = trimmed(rest.substr(static_cast<size_t>(end - rest.data())));
        if (rest.empty()) break;
        if (!rest.starts_with(',')) return std::nullopt;
        rest = trimmed(rest.substr(1));
    }
    return sizes;
}

std::optional<NpyType> parse_type(std::string_view written) {
    const std::string_view text = unquoted(written);
    if (text.size() != 3 || std::string_view("<>=|").find(text[0]) == text.npos) return std::nullopt;
    const size_t size = static_cast<size_t>(text[2] - '0');
    const bool known = text[1] == 'f'                     ? size == 4 || size == 8
                       : text[1] == 'i' || text[1] == 'u' ? size == 1 || size == 2 || size == 4 || size == 8
                                                          : text[1] == 'b' && size == 1;
    if (!known || (text[0] == '|' && size > 1)) return std::nullopt;
    return NpyType{text[1], size, text[0] == '>' || (text[0] == '=' && std::endian::native == std::endian::big)};
}

/// How many bytes a plain type takes, of texts too: "<f8", "|S12", "<U3"; nothing: it is none.
std::optional<size_t> size_of_type(std::string_view written) {
    const std::string_view text = unquoted(written);
    if (text.size() < 3 || text.size() > 8 || std::string_view("<>=|").find(text[0]) == text.npos) return std::nullopt;
    const std::optional<uint32_t> size = whole<uint32_t>(text.substr(2));
    if (!size || std::string_view("fiubcSUVmM").find(text[1]) == text.npos) return std::nullopt;
    return size_t{*size} * (text[1] == 'U' ? 4 : 1);
}

/// "[('x', '<f8'), ('mass', '<f4')]"; empty: it is no such list, or a field's size is not known.
std::vector<NpyField> parse_fields(std::string_view list, size_t& record_size) {
    std::vector<NpyField> fields;
    record_size = 0;
    if (!list.starts_with('[') || !list.ends_with(']')) return {};
    list = trimmed(list.substr(1, list.size() - 2));
    while (!list.empty()) {
        if (!list.starts_with('(')) return {};
        const size_t length = value_length(list);
        std::string_view one = trimmed(list.substr(0, length));
        if (!one.ends_with(')') || one.size() < 2) return {};
        one = trimmed(one.substr(1, one.size() - 2));
        const size_t comma = value_length(one);
        const std::string name = plain_text(trimmed(one.substr(0, comma)));
        const std::string_view rest = trimmed(one.substr(std::min(comma + 1, one.size())));
        const std::string_view type = rest.substr(0, value_length(rest));
        const std::optional<size_t> size = size_of_type(trimmed(type));
        if (type.size() < rest.size() || !size) return {};  // an array, or a structure
        fields.push_back({printable_within(name, 64), parse_type(trimmed(type)), record_size});
        record_size += *size;
        list = trimmed(list.substr(std::min(length + 1, list.size())));
    }
    return fields;
}

double number_at(const char* bytes, const NpyType& type) {
    uint64_t bits = 0;
    for (size_t k = 0; k < type.size; ++k) {
        const size_t significance = type.big_endian ? type.size - 1 - k : k;
        bits |= uint64_t{static_cast<unsigned char>(bytes[k])} << (8 * significance);
    }
    switch (type.kind) {
        case 'f':
            return type.size == 8 ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<uint32_t>(bits));
        case 'i': {
            const size_t unused = 64 - 8 * type.size;  // the sign is carried down from the top
            return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
        }
        case 'b':
            return bits != 0;
        default:
            return static_cast<double>(bits);
    }
}

}  // namespace

NpyFile::NpyFile(const std::filesystem::path& path, std::string_view bytes) : name_(path.string()), data_(bytes) {
    const auto header = read_dictionary(*this, take_header());
    for (const char* key : {"descr", "fortran_order", "shape"}) {
        if (!header.contains(key)) throw fail(std::string("the header does not say ") + excerpt(key));
    }
    type_text_ = header.at("descr");
    shape_text_ = header.at("shape");
    type_ = parse_type(type_text_);
    if (!type_) fields_ = parse_fields(type_text_, record_size_);
    shape_ = parse_shape(shape_text_);
    const std::string_view order = header.at("fortran_order");
    if (order != "True" && order != "False")
        throw fail("expected fortran_order True or False, found " + excerpt(order));
    column_major_ = order == "True";
}

/// Checks the magic string and the version; the dictionary's text. The data is what data() has afterwards.
std::string_view NpyFile::take_header() {
    constexpr std::string_view kMagic = "\x93NUMPY";
    if (!data_.starts_with(kMagic)) throw fail("expected an npy file, found " + excerpt(data_.substr(0, 64)));
    if (data_.size() < 12) throw fail("ends within its header");
    const auto version = static_cast<unsigned char>(data_[6]);
    if (version < 1 || version > 3) throw fail("expected version 1, 2 or 3, found " + std::to_string(version));
    const size_t length_bytes = version == 1 ? 2 : 4;
    const size_t begin = 8 + length_bytes;
    uint64_t length = 0;
    for (size_t i = length_bytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(data_[8 + i]);
    if (length > data_.size() - begin) throw fail("ends within its header");
    const std::string_view header = data_.substr(begin, length);
    data_.remove_prefix(begin + length);
    return header;
}

uint64_t NpyFile::require_whole(const std::string& what, std::vector<std::string>& notes) const {
    const uint64_t room = data_.size() / type_->size;
    const bool none = std::find(shape_->begin(), shape_->end(), 0u) != shape_->end();
    uint64_t count = none ? 0 : 1;
    bool fits = true;
    for (const uint64_t size : *shape_) {
        fits = fits && (none || count <= room / size);
        if (fits) count *= size;
    }
    if (!fits)
        throw fail("expected " + shape_text_.substr(0, 40) + " numbers as declared, but only " +
                   std::to_string(data_.size()) + " bytes follow the header");
    const uint64_t more = data_.size() - count * type_->size;
    if (more > 0) notes.push_back(name_ + ": " + std::to_string(more) + " bytes after the " + what + " are not used");
    return count;
}

double NpyFile::number(uint64_t i) const { return number_at(data_.data() + i * type_->size, *type_); }

double NpyFile::number(uint64_t i, const NpyField& field) const {
    return number_at(data_.data() + i * record_size_ + field.offset, *field.type);
}

}  // namespace flipscope::io
