// Text of others (bytes of a file, names, arguments) made fit for a terminal, a panel or a log. Every Error passes
// through here, and so does whatever the program prints beside them.
#pragma once

#include <string>
#include <string_view>

namespace flipscope {

/// `text` as one line: valid UTF-8 stays as it is, and every byte that a terminal could obey or that is no text is
/// shown as \x1b: control characters (line breaks too), what turns the direction of writing, separators of lines, and
/// invalid bytes. What is printable already comes back unchanged.
std::string printable(std::string_view text);

/// The same in quotes, cut at about 40 characters.
std::string excerpt(std::string_view text);

/// printable(), and where that is longer than `most` bytes, its beginning and its end with "..." between them.
std::string printable_within(std::string_view text, size_t most);

}  // namespace flipscope
