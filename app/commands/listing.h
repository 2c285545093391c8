// `flipscope list` and `flipscope info`: the features of this build, and the machine's support for them. Prints on
// stdout.
#pragma once

#include <string>

namespace flipscope::app {

/// `what`: labs, passes, parameters, arrays, generators, formats, defects or recent; empty: all except recent, each
/// under a heading. `lab`: restricts the first four to this lab; empty: all labs.
void print_list(const std::string& what, const std::string& lab = {});

/// Prints devices with their drivers, OpenGL and the kind of shared memory. Never fails: reports what is missing.
void print_info();

}  // namespace flipscope::app
