#include "io/npy_writer.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>

#include "compute/error.h"
#include "io/npz_file.h"
#include "io/parse.h"

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

/// Appends numbers of `size` bytes each, the lowest byte first.
void put(std::string& bytes, int size, std::initializer_list<uint64_t> numbers) {
    for (const uint64_t number : numbers)
        for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i));
}

/// The characters of UTF-8; an invalid byte represents itself.
std::u32string characters_of(const std::string& text) {
    std::u32string characters;
    for (std::string_view rest = text; !rest.empty();) {
        uint32_t code = 0;
        const size_t length = io::utf8_length(rest, code);
        characters += length > 0 ? char32_t{code} : char32_t{static_cast<unsigned char>(rest.front())};
        rest.remove_prefix(std::max<size_t>(length, 1));
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
        put(common, 2, {kVersion, kNamesAreUtf8, kStored, 0, kFirstDay});
        put(common, 4, {io::zip_checksum(content), content.size(), content.size()});
        put(common, 2, {file.size(), 0});
        put(directory, 4, {0x02014B50});
        put(directory, 2, {kVersion});
        directory += common;
        put(directory, 2, {0, 0, 0});          // no comment, first disk, no attributes
        put(directory, 4, {0, bytes.size()});  // where the member begins
        directory += file;
        put(bytes, 4, {0x04034B50});
        bytes += common + file + content;
    }
    const uint64_t begin = bytes.size(), count = members.size();
    bytes += directory;
    put(bytes, 4, {0x06054B50, 0});
    put(bytes, 2, {count, count});
    put(bytes, 4, {directory.size(), begin});
    put(bytes, 2, {0});
    return bytes;
}

}  // namespace flipscope
