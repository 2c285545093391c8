// Makes arbitrary text (bytes of a file, names, arguments) safe for a terminal, a panel or a log. Every Error
// and all other output of the program passes through here.
#pragma once

#include <string>
#include <string_view>

namespace flipscope {

/// `text` as one line. Printable UTF-8 is unchanged; control characters, line breaks and separators, bidirectional
/// controls and invalid bytes are escaped as \x1b.
std::string printable(std::string_view text);

/// The same in quotes, cut at about 40 characters.
std::string excerpt(std::string_view text);

/// printable(); if longer than `most` bytes, its beginning and its end with "..." between them.
std::string printable_within(std::string_view text, size_t most);

}  // namespace flipscope
