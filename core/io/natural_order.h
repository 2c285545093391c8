// Natural order of file names: 2.png before 10.png. Readers of folders sort by it.
#pragma once

#include <string>

namespace flipscope::io {

/// Natural less-than: runs of digits compare as numbers.
bool comes_before(const std::string& a, const std::string& b);

}  // namespace flipscope::io
