#include "io/npy_writer.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <utility>

#include "compute/error.h"
#include "io/npz_file.h"

namespace flipscope {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

/// NumPy's name of the type, and its size in bytes.
std::pair<const char*, size_t> type_of(Array::Type type) {
    // In the order of Array::Type.
    constexpr std::pair<const char*, size_t> kTypes[] = {{"<u4", 4}, {"<i8", 8}, {"<f4", 4}, {"<f8", 8}};
    return kTypes[static_cast<size_t>(type)];
}

size_t product_of(const std::vector<size_t>& extents) {
    size_t count = 1;
    for (const size_t extent : extents) count *= extent;
    return count;
}

/// Appends numbers, each with its size in bytes.
void put_low_first(std::string& bytes, std::initializer_list<std::pair<uint64_t, int>> numbers) {
    for (const auto& [value, size] : numbers)
        for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
}

/// The characters of UTF-8; an invalid byte represents itself.
std::u32string characters_of(const std::string& text) {
    std::u32string characters;
    for (size_t i = 0; i < text.size();) {
        const auto byte = [&](size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u; };
        const size_t more = byte(0) >= 0xF0 ? 3 : byte(0) >= 0xE0 ? 2 : byte(0) >= 0xC0 ? 1 : 0;
        char32_t character = byte(0);
        bool whole = more > 0;
        for (size_t k = 1; k <= more; ++k) whole = whole && (byte(k) & 0xC0) == 0x80;
        if (whole) {
            character &= 0x3Fu >> more;
            for (size_t k = 1; k <= more; ++k) character = character << 6 | (byte(k) & 0x3F);
        }
        characters += character;
        i += whole ? more + 1 : 1;
    }
    return characters;
}

}  // namespace

std::string npy_header(const std::string& type, const std::vector<size_t>& extents) {
    std::string shape = "(";
    for (const size_t extent : extents) shape += std::to_string(extent) + ", ";
    // Python writes (3,) with its comma, and (3, 4) without one at the end.
    if (extents.size() == 1) shape.pop_back();
    if (extents.size() > 1) shape.erase(shape.size() - 2);
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + "), }";
    constexpr size_t kBefore = 10, kAlignment = 64;  // magic, version and length come before the header
    const size_t whole = (kBefore + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
    header.append(whole - kBefore - header.size() - 1, ' ');
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += '\x01';
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    return bytes + header;
}

std::string npy_bytes(const Array& array) {
    const auto [name, size] = type_of(array.type);
    const size_t count = product_of(array.shape);
    if (array.values.size() != count * size)
        throw std::logic_error("npy_bytes: a shape of " + std::to_string(count) + " numbers needs " +
                               std::to_string(count * size) + " bytes, not " + std::to_string(array.values.size()));
    std::string bytes = npy_header(name, array.shape);
    bytes.append(reinterpret_cast<const char*>(array.values.data()), array.values.size());
    return bytes;
}

std::string npy_bytes(const std::vector<std::string>& texts, const std::vector<size_t>& shape) {
    if (texts.size() != product_of(shape)) throw std::logic_error("npy_bytes: as many texts as the shape says");
    size_t longest = 1;
    for (const std::string& text : texts) longest = std::max(longest, characters_of(text).size());
    std::string bytes = npy_header("<U" + std::to_string(longest), shape);
    for (const std::string& text : texts) {
        std::u32string characters = characters_of(text);
        characters.resize(longest);
        bytes.append(reinterpret_cast<const char*>(characters.data()), characters.size() * sizeof(char32_t));
    }
    return bytes;
}

std::string npz_bytes(const std::vector<std::pair<std::string, std::string>>& members) {
    constexpr uint64_t kMost = 0xFFFFFFFE;
    constexpr uint64_t kVersion = 20, kNamesAreUtf8 = 0x800, kStored = 0, kFirstDay = 0x21;  // 1980-01-01
    std::string bytes, directory;
    for (const auto& [name, content] : members) {
        const std::string file = name + ".npy";
        if (bytes.size() + content.size() + directory.size() + 1024 > kMost || members.size() > 0xFFFE)
            throw Error(
                "its arrays are larger than the 4 GiB that an .npz archive can hold; write them as .npy or .csv");
        std::string common;  // of both headers
        put_low_first(common, {{kVersion, 2},
                               {kNamesAreUtf8, 2},
                               {kStored, 2},
                               {0, 2},
                               {kFirstDay, 2},
                               {io::zip_checksum(content), 4},
                               {content.size(), 4},
                               {content.size(), 4},
                               {file.size(), 2},
                               {0, 2}});
        put_low_first(directory, {{0x02014B50, 4}, {kVersion, 2}});
        directory += common;
        // No comment, first disk, no attributes; where the member begins.
        put_low_first(directory, {{0, 2}, {0, 2}, {0, 2}, {0, 4}, {bytes.size(), 4}});
        directory += file;
        put_low_first(bytes, {{0x04034B50, 4}});
        bytes += common + file + content;
    }
    const uint64_t begin = bytes.size(), count = members.size();
    bytes += directory;
    put_low_first(bytes, {{0x06054B50, 4}, {0, 4}, {count, 2}, {count, 2}, {directory.size(), 4}, {begin, 4}, {0, 2}});
    return bytes;
}

}  // namespace flipscope
