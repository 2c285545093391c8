// "Did you mean": for errors about unknown names.
#pragma once

#include <string>
#include <vector>

namespace flipscope {

/// The word of `known` that is nearest to `word`; empty if none is near.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace flipscope
