// Arrays for other programs: NumPy's .npy, version 1.0, and archives of them, .npz. What a lab offers as an Array
// becomes the bytes of such a file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compute/array.h"

namespace flipscope {

/// A whole .npy file: header, padded to a multiple of 64 bytes, and the values, row-major and little-endian. Throws
/// std::logic_error when there are not as many bytes as shape and type say.
std::string npy_bytes(const Array& array);
/// Texts in UTF-8 as an array of NumPy's Unicode strings. `shape`: of which they are the elements.
std::string npy_bytes(const std::vector<std::string>& texts, const std::vector<size_t>& shape);

/// A whole .npz file of members {name, bytes of its .npy file}, not compressed. Throws Error where it would be larger
/// than such an archive can be (4 GiB).
std::string npz_bytes(const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace flipscope
