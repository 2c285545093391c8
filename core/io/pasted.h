// What other programs put into the clipboard: columns of coordinates, and all that is read from a file of such a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compute/error.h"
#include "geometry/point.h"

namespace flipscope {

/// JSON, well-known text and lists are read as io/structured_text.h does. Else rows are the lines, or what stands
/// between commas, where all of these have two numbers or all have three; a single line or column of numbers is x, y,
/// x, y …. Blanks, commas, semicolons and quotes separate; "#" begins a comment; a first line without numbers is passed
/// over. Commas are decimal where semicolons, tabs or a number without one tell so. A third column is left out. What
/// was understood is said in `notes`. Throws Error: `line 3: expected coordinates, found "foo"`, `line 2 has 3 numbers,
/// and line 1 has 2`.
Geometry read_pasted(std::string_view text, std::vector<std::string>* notes = nullptr);

}  // namespace flipscope
