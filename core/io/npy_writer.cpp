#include "io/npy_writer.h"

#include <bit>
#include <stdexcept>
#include <utility>

namespace flipscope {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

/// NumPy's name of the type, and its size in bytes.
std::pair<const char*, size_t> type_of(Array::Type type) {
    switch (type) {
        case Array::Type::kUint32:
            return {"<u4", 4};
        case Array::Type::kInt64:
            return {"<i8", 8};
        case Array::Type::kFloat32:
            return {"<f4", 4};
        case Array::Type::kFloat64:
            return {"<f8", 8};
    }
    throw std::logic_error("npy_bytes: no such type");
}

}  // namespace

std::string npy_bytes(const Array& array) {
    const auto [name, size] = type_of(array.type);
    size_t count = 1;
    std::string shape = "(";
    for (const size_t extent : array.shape) {
        count *= extent;
        shape += std::to_string(extent) + ", ";
    }
    // Python writes (3,) with its comma, and (3, 4) without one at the end.
    if (array.shape.size() == 1) shape.pop_back();
    if (array.shape.size() > 1) shape.erase(shape.size() - 2);
    shape += ")";
    if (array.values.size() != count * size)
        throw std::logic_error("npy_bytes: shape " + shape + " needs " + std::to_string(count * size) + " bytes, not " +
                               std::to_string(array.values.size()));
    std::string header = "{'descr': '" + std::string(name) + "', 'fortran_order': False, 'shape': " + shape + ", }";
    constexpr size_t kBefore = 10, kAlignment = 64;  // magic, version and length come before the header
    const size_t whole = (kBefore + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
    header.append(whole - kBefore - header.size() - 1, ' ');
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += '\x01';
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(array.values.data()), array.values.size());
    return bytes;
}

}  // namespace flipscope
