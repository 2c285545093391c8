// The fuzzed functions: every reader of files and of users' texts, one entry each. The mutations of fuzz_driver.cpp
// drive them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flipscope::fuzz {

struct Reader {
    std::string name;  // "ply"; also that of its folder in the corpus
    void (*take)(std::string_view bytes, const std::string& extension);
    std::string extension;  // of the file; empty: the same for all inputs
    size_t most_bytes;      // of memory at once, for any input of at most kMostInput bytes
};

/// Inputs are no longer than this.
inline constexpr size_t kMostInput = size_t{1} << 16;

const std::vector<Reader>& readers();

/// Passes `bytes` to the reader. Its outcome is a value that keeps its own contract, or an Error of one printable
/// sentence; anything else ends the process with abort(), after a sentence on stderr.
void run(const Reader& reader, std::string_view bytes);

}  // namespace flipscope::fuzz
