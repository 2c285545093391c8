// Arrays for other programs: NumPy's .npy, version 1.0. What a lab offers as an Array becomes the bytes of such a file.
#pragma once

#include <string>

#include "compute/array.h"

namespace flipscope {

/// A whole .npy file: header, padded to a multiple of 64 bytes, and the values, row-major and little-endian. Throws
/// std::logic_error when there are not as many bytes as shape and type say.
std::string npy_bytes(const Array& array);

}  // namespace flipscope
