// Fuzzy search for the command palette: ranks short texts by a few typed letters.
#pragma once

#include <string>
#include <vector>

namespace flipscope::app {

/// How well the words that are typed match a text, in any order and in upper or lower case; 0: one of them does not.
/// The start of a word is best, then any other part of one, then beginnings of several ("shvo" in "Show Voronoi
/// cells").
int fuzzy_score(const std::string& typed, const std::string& text);

/// Indices of the texts that match, best first; of equals the shorter, then the earlier. Nothing typed: all, in order.
std::vector<size_t> fuzzy_ranking(const std::string& typed, const std::vector<std::string>& texts);

}  // namespace flipscope::app
