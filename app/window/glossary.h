// The words of the trade that panels and legends use: what each means, in a sentence for a tooltip. The manual's
// glossary (docs/glossary.md) has more of them, and says more.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace flipscope::app {

const std::vector<std::pair<std::string, std::string>>& glossary();  // words and sentences

/// What the words of the glossary that a text has mean, a line each; empty: it has none. A word may be
/// several: "ghosts".
std::string meanings_in(const std::string& text);

}  // namespace flipscope::app
