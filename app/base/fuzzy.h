// Fuzzy search for the command palette: ranks short texts by a few typed letters.
#pragma once

#include <string>
#include <vector>

namespace flipscope::app {

/// How well the typed words match a text, in any order, ignoring case; 0: one of them does not. The start of a word
/// scores best, then any other part, then the beginnings of several words ("shvo" in "Show Voronoi cells").
int fuzzy_score(const std::string& typed, const std::string& text);

/// Indices of the matching texts, best first; ties: shorter, then earlier. Empty input: all, in order.
std::vector<size_t> fuzzy_ranking(const std::string& typed, const std::vector<std::string>& texts);

}  // namespace flipscope::app
