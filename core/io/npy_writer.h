// Writes arrays as NumPy's .npy, version 1.0, and archives of them, .npz.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compute/array.h"

namespace flipscope {

/// A whole .npy file: header, padded to a multiple of 64 bytes, and the values, row-major and little-endian. Throws
/// std::logic_error if the number of bytes does not match shape and type.
std::string npy_bytes(const Array& array);
/// The header of such a file; `type` is NumPy's name of it, such as "<i4".
std::string npy_header(const std::string& type, const std::vector<size_t>& shape);
/// UTF-8 texts as an array of NumPy's Unicode strings, of this shape.
std::string npy_bytes(const std::vector<std::string>& texts, const std::vector<size_t>& shape);

/// A whole .npz file of members {name, bytes of its .npy file}, not compressed. Throws Error above the format's limit
/// of 4 GiB.
std::string npz_bytes(const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace flipscope
