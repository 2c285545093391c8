#include "io/vtk_writer.h"

#include <charconv>
#include <stdexcept>

namespace flipscope {

namespace {

std::string shortest(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace

std::string vtk_bytes(const std::string& name, const Array& array, Point origin, Point spacing) {
    using Type = Array::Type;
    const size_t rank = array.shape.size(), components = rank == 3 ? array.shape[2] : 1;
    if (rank < 2 || rank > 3 || components < 1 || components > 4)
        throw std::logic_error("vtk_bytes: " + name + " is no array of a lattice");
    const size_t width = array.shape[1], height = array.shape[0], pixels = width * height;
    const char* const type = array.type == Type::kUint32    ? "unsigned_int"
                             : array.type == Type::kInt64   ? "vtktypeint64"
                             : array.type == Type::kFloat32 ? "float"
                                                            : "double";
    std::string bytes = "# vtk DataFile Version 2.0\n" + name + "\nBINARY\nDATASET STRUCTURED_POINTS\nDIMENSIONS " +
                        std::to_string(width) + " " + std::to_string(height) + " 1\nORIGIN " + shortest(origin.x) +
                        " " + shortest(origin.y) + " 0\nSPACING " + shortest(spacing.x) + " " + shortest(spacing.y) +
                        " 1\nPOINT_DATA " + std::to_string(pixels) + "\n";
    // Vectors have three components in these files.
    const bool vectors = components == 2;
    bytes += vectors ? "VECTORS " + name + " " + type + "\n"
                     : "SCALARS " + name + " " + type + " " + std::to_string(components) + "\nLOOKUP_TABLE default\n";
    const size_t size = pixels * components > 0 ? array.values.size() / (pixels * components) : 0;
    for (size_t k = 0; k < pixels; ++k) {
        for (size_t c = 0; c < components; ++c) {  // the first byte is the most significant
            const auto* value = reinterpret_cast<const char*>(array.values.data()) + (k * components + c) * size;
            bytes.append(std::make_reverse_iterator(value + size), std::make_reverse_iterator(value));
        }
        if (vectors) bytes.append(size, '\0');
    }
    return bytes += '\n';
}

}  // namespace flipscope
