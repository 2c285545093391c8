// NumPy's .npy, versions 1 to 3 (numpy/lib/format.py, NEP 1): a magic string, a Python dictionary, the raw numbers.

#include "io/npy_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

namespace flipscope::io {
namespace {

/// The values of a list, which commas outside brackets and quotes separate; one may follow the last.
std::vector<std::string_view> parts_of(std::string_view list) {
    std::vector<std::string_view> parts;
    int depth = 0;
    char quote = 0;
    size_t begin = 0;
    for (size_t i = 0; i < list.size(); ++i) {
        const char c = list[i];
        if (quote) {
            if (c == '\\')
                ++i;  // an escaped character ends nothing
            else if (c == quote)
                quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[') {
            ++depth;
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (depth <= 0 && c == ',') {
            parts.push_back(trimmed(list.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    const std::string_view last = trimmed(list.substr(begin));
    if (!last.empty()) parts.push_back(last);
    return parts;
}

/// "1, 2" of "(1, 2)"; nullopt: other brackets.
std::optional<std::string_view> between(char open, std::string_view text, char close) {
    if (text.size() < 2 || !text.starts_with(open) || !text.ends_with(close)) return std::nullopt;
    return text.substr(1, text.size() - 2);
}

std::string_view unquoted(std::string_view text) {
    const bool quotes =
        text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
    return quotes ? text.substr(1, text.size() - 2) : text;
}

/// Unescapes a text as written by Python: quotes and backslashes may follow a backslash. Other escapes represent
/// unprintable characters and stay as they are.
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

/// The dictionary's entries, with their values as written.
std::map<std::string_view, std::string_view> read_dictionary(const NpyFile& file, std::string_view header) {
    const Error broken = file.fail("expected a dictionary as the header, found " + excerpt(header));
    while (!header.empty() && (is_blank(header.back()) || header.back() == '\n')) header.remove_suffix(1);
    const auto inner = between('{', trimmed(header), '}');
    if (!inner) throw broken;
    std::map<std::string_view, std::string_view> entries;
    for (const std::string_view part : parts_of(*inner)) {
        const size_t colon = part.find(':');
        if (colon == part.npos) throw broken;
        entries[unquoted(trimmed(part.substr(0, colon)))] = trimmed(part.substr(colon + 1));
    }
    return entries;
}

std::optional<std::vector<uint64_t>> parse_shape(std::string_view shape) {
    const auto inner = between('(', shape, ')');
    if (!inner) return std::nullopt;
    std::vector<uint64_t> sizes;
    for (const std::string_view part : parts_of(*inner)) {
        const std::optional<uint64_t> size = whole(part);
        if (!size) return std::nullopt;
        sizes.push_back(*size);
    }
    return sizes;
}

struct WrittenType {
    char order, kind;  // "<f8": '<' and 'f'
    uint64_t size;     // 8
    bool big_endian() const { return order == '>' || (order == '=' && std::endian::native == std::endian::big); }
};

/// "<f8", "|S12", "<U3", "<M8[ns]"; nullopt: not such a type.
std::optional<WrittenType> split_type(std::string_view written) {
    const std::string_view text = unquoted(written);
    if (text.size() < 3 || std::string_view("<>=|").find(text[0]) == text.npos) return std::nullopt;
    if (std::string_view("fiubcSUVmM").find(text[1]) == text.npos) return std::nullopt;
    const bool is_time = text[1] == 'm' || text[1] == 'M';  // its unit follows in brackets
    const size_t end = is_time ? std::min(text.find('['), text.size()) : text.size();
    const std::optional<uint64_t> size = end > 14 ? std::nullopt : whole(text.substr(2, end - 2));
    if (!size) return std::nullopt;
    return WrittenType{text[0], text[1], *size};
}

size_t bytes_of(const WrittenType& type) { return type.size * (type.kind == 'U' ? 4 : 1); }

/// For numbers and bool only.
std::optional<NpyType> number_type(const WrittenType& type) {
    const bool one_to_eight = type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
    const bool known = type.kind == 'f'                       ? one_to_eight && type.size > 1
                       : type.kind == 'i' || type.kind == 'u' ? one_to_eight
                                                              : type.kind == 'b' && type.size == 1;
    if (!known || (type.order == '|' && type.size > 1)) return std::nullopt;
    return NpyType{type.kind, type.size, type.big_endian()};
}

std::optional<NpyType> text_type_of(const WrittenType& type) {
    if ((type.kind != 'U' && type.kind != 'S') || type.size == 0) return std::nullopt;
    return NpyType{type.kind, bytes_of(type), type.big_endian()};
}

/// The number of elements of an array within records, "(2,)" or "3"; nullopt: not representable in a table.
std::optional<size_t> parse_element_count(std::string_view written) {
    constexpr uint64_t kMost = 1 << 16;
    const std::vector<std::string_view> sizes = parts_of(between('(', written, ')').value_or(written));
    uint64_t count = 1;
    for (const std::string_view written_size : sizes) {
        const uint64_t size = whole(written_size).value_or(0);
        if (size == 0 || size > kMost / count) return std::nullopt;
        count *= size;
    }
    return sizes.empty() ? std::nullopt : std::optional<size_t>(count);
}

/// "[('x', '<f8'), ('mass', '<f4'), ('v', '<f8', (2,))]"; empty: not such a list, or with a field of unknown size.
std::vector<NpyField> parse_fields(std::string_view list, size_t& record_size) {
    constexpr size_t kMostElements = 16;  // array elements in a record that become columns
    std::vector<NpyField> fields;
    record_size = 0;
    const auto inner = between('[', list, ']');
    if (!inner) return {};
    for (const std::string_view part : parts_of(*inner)) {
        const auto field = between('(', part, ')');
        const std::vector<std::string_view> values = field ? parts_of(*field) : std::vector<std::string_view>();
        if (values.size() < 2 || values.size() > 3) return {};
        std::string_view written_name = values[0];
        if (const auto titled = between('(', written_name, ')'))  // a title and the name
            if (const auto names = parts_of(*titled); names.size() > 1) written_name = names[1];
        const std::string name = printable_within(plain_text(written_name), 64);
        const std::optional<WrittenType> written = split_type(values[1]);
        const std::optional<size_t> count = values.size() == 2 ? 1 : parse_element_count(values[2]);
        if (!written || !count) return {};  // a nested structure
        std::optional<NpyType> type = number_type(*written);
        if (!type && *count == 1) type = text_type_of(*written);
        const bool is_padding = name.empty() && written->kind == 'V';
        const size_t columns = *count > kMostElements || !type ? 1 : *count;
        for (size_t k = 0; k < columns && !is_padding; ++k)
            fields.push_back({columns > 1 ? name + "[" + std::to_string(k) + "]" : name,
                              *count > kMostElements ? std::nullopt : type, record_size + k * bytes_of(*written), k,
                              columns});
        constexpr uint64_t kMostBytes = uint64_t(1) << 40;
        if (bytes_of(*written) > kMostBytes / *count) return {};
        record_size += *count * bytes_of(*written);
        if (record_size > kMostBytes) return {};
    }
    return fields;
}

/// The number of 1, 2, 4 or 8 bytes at a place, as an integer in this byte order.
uint64_t bits_at(const char* bytes, const NpyType& type) {
    static_assert(std::endian::native == std::endian::little);
    uint64_t bits = 0;
    switch (type.size) {  // a constant size is one instruction
        case 8:
            std::memcpy(&bits, bytes, 8);
            break;
        case 4:
            std::memcpy(&bits, bytes, 4);
            break;
        case 2:
            std::memcpy(&bits, bytes, 2);
            break;
        default:
            bits = static_cast<unsigned char>(*bytes);
    }
    return type.big_endian ? __builtin_bswap64(bits) >> (64 - 8 * type.size) : bits;
}

}  // namespace

NpyFile::NpyFile(const std::filesystem::path& path, std::string_view bytes) : name_(path.string()), data_(bytes) {
    const auto header = read_dictionary(*this, take_header());
    for (const char* key : {"descr", "fortran_order", "shape"})
        if (!header.contains(key)) throw fail(std::string("the header does not say ") + excerpt(key));
    type_text_ = header.at("descr");
    shape_text_ = header.at("shape");
    if (const std::optional<WrittenType> written = split_type(type_text_)) {
        type_ = number_type(*written);
        text_type_ = text_type_of(*written);
        if (written->kind == 'c') parts_ = number_type({written->order, 'f', written->size / 2});
        if (type_ || text_type_ || parts_) element_size_ = bytes_of(*written);
    } else {
        fields_ = parse_fields(type_text_, element_size_);
        if (element_size_ == 0) fields_.clear();
        if (fields_.empty()) element_size_ = 0;
    }
    shape_ = parse_shape(shape_text_);
    shape_text_ = printable(shape_text_).substr(0, 40);
    const std::string_view order = header.at("fortran_order");
    if (order != "True" && order != "False")
        throw fail("expected fortran_order True or False, found " + excerpt(order));
    column_major_ = order == "True";
}

/// Checks the magic string and the version, and returns the text of the dictionary. data() has the rest afterwards.
std::string_view NpyFile::take_header() {
    constexpr std::string_view kMagic = "\x93NUMPY";
    if (!data_.starts_with(kMagic)) throw fail("expected an npy file, found " + excerpt(data_.substr(0, 64)));
    if (data_.size() < 12) throw fail("ends within its header");
    const auto version = static_cast<unsigned char>(data_[6]);
    if (version < 1 || version > 3) throw fail("expected version 1, 2 or 3, found " + std::to_string(version));
    const size_t length_bytes = version == 1 ? 2 : 4;
    const size_t begin = 8 + length_bytes;
    const uint64_t length = integer_at(data_, 8, length_bytes);
    if (length > data_.size() - begin) throw fail("ends within its header");
    const std::string_view header = data_.substr(begin, length);
    data_.remove_prefix(begin + length);
    return header;
}

uint64_t NpyFile::require_whole(const std::string& what, std::vector<std::string>& notes) const {
    const uint64_t room = data_.size() / element_size_;
    const bool none = std::ranges::find(*shape_, 0u) != shape_->end();
    uint64_t count = none ? 0 : 1;
    bool fits = true;
    for (const uint64_t size : *shape_) {
        fits = fits && (none || count <= room / size);
        if (fits) count *= size;
    }
    if (!fits)
        throw fail("expected " + shape_text_ +
                   (text_type_        ? " texts"
                    : fields_.empty() ? " numbers"
                                      : " records") +
                   " as declared, but only " + std::to_string(data_.size()) + " bytes follow the header");
    const uint64_t more = data_.size() - count * element_size_;
    if (more > 0) notes.push_back(name_ + ": " + std::to_string(more) + " bytes after the " + what + " are not used");
    return count;
}

std::vector<uint64_t> NpyFile::strides() const {
    std::vector<uint64_t> strides(shape_->size());
    uint64_t stride = element_size_;
    for (size_t k = 0; k < strides.size(); ++k) {
        const size_t axis = column_major_ ? k : strides.size() - 1 - k;
        strides[axis] = stride;
        stride *= (*shape_)[axis];  // meaningless if a size is 0, but then nothing is read
    }
    return strides;
}

Error NpyFile::fail_type(const std::string& what) const {
    const std::string_view type = unquoted(type_text_);
    const bool has_objects = type == "|O" || type == "O" || type_text_.find("'|O'") != std::string::npos;
    const bool is_long = type.size() > 2 && type[1] == 'f';
    return fail("expected " + what + ", found " + excerpt(type_text_) +
                (has_objects ? ", objects that only Python can read; convert them with astype(float) first"
                 : is_long   ? ", which no double holds; convert it with astype(float) first"
                             : ""));
}

double NpyColumn::number(uint64_t i, uint64_t t) const {
    const uint64_t bits = bits_at(at(i, t), type);
    return type.kind == 'b' ? bits != 0 : number_of(bits, type.size, type.kind == 'f', type.kind == 'i');
}

std::optional<int64_t> NpyColumn::whole(uint64_t i, uint64_t t) const {
    const uint64_t bits = bits_at(at(i, t), type);
    if (type.kind == 'i') return with_sign(bits, type.size);
    if (type.kind == 'u') return bits > INT64_MAX ? std::nullopt : std::optional<int64_t>(static_cast<int64_t>(bits));
    return exact_whole(number(i, t));
}

std::string NpyColumn::inexact(uint64_t i, uint64_t t) const {
    if (type.size < 8 || (type.kind != 'i' && type.kind != 'u')) return {};
    const uint64_t bits = bits_at(at(i, t), type);
    const bool negative = type.kind == 'i' && static_cast<int64_t>(bits) < 0;
    const uint64_t size = negative ? 0 - bits : bits;
    // A number is exact as a double if it has at most 53 significant binary digits.
    if (size == 0 || std::bit_width(size) - std::countr_zero(size) <= 53) return {};
    return (negative ? "-" : "") + std::to_string(size);
}

std::string NpyColumn::text(uint64_t i, size_t most) const {
    const auto* const begin = reinterpret_cast<const unsigned char*>(at(i, 0));
    const size_t width = type.kind == 'U' ? 4 : 1;
    std::string text;
    for (size_t k = 0; k < type.size && text.size() < most; k += width) {
        uint32_t code = 0;
        for (size_t byte = 0; byte < width; ++byte)
            code |= uint32_t{begin[k + (type.big_endian ? width - 1 - byte : byte)]} << (8 * byte);
        if (code == 0) break;  // NumPy pads with zeros
        if (width == 1)
            text += static_cast<char>(code);
        else
            put_utf8(text, code);
    }
    return text;
}

}  // namespace flipscope::io
