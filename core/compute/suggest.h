// "Did you mean": for errors about unknown names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flipscope {

/// The word of `known` that is nearest to `word`; empty if none is near.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

/// `; did you mean "ring"? (known: disc, ring)`; without a near word only the list.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace flipscope
