// "Did you mean": for errors about names that are not known.
#pragma once

#include <string>
#include <vector>

namespace flipscope {

/// The word of `known` that `word` was probably meant to be; empty when none is near.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace flipscope
