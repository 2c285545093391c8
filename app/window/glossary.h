// Technical terms in panels and legends, each with a sentence for a tooltip. The manual's glossary (docs/glossary.md)
// has more of them, in more detail.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace flipscope::app {

const std::vector<std::pair<std::string, std::string>>& glossary();  // terms and sentences

/// The sentences for the terms that occur in a text, a line each; empty: none. A term may occur in its plural
/// ("ghosts").
std::string meanings_in(const std::string& text);

}  // namespace flipscope::app
