// The order in which people would give the names of numbered files: 2.png before 10.png. Readers of folders sort by it.
#pragma once

#include <string>

namespace flipscope::io {

/// Whether people would name `a` before `b`: runs of digits count as numbers.
bool comes_before(const std::string& a, const std::string& b);

}  // namespace flipscope::io
