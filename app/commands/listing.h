// `flipscope list` and `flipscope info`: what this build offers, and what this machine has for it. Prints on stdout.
#pragma once

#include <string>

namespace flipscope::app {

/// `what`: labs, passes, parameters, arrays, generators, formats, defects or recent; empty: all but recent, each under
/// a heading. `lab`: of the first four those of this lab alone; empty: of all.
void print_list(const std::string& what, const std::string& lab = {});

/// Devices with their drivers, OpenGL and the make of shared memory. Never fails: what is missing is said.
void print_info();

}  // namespace flipscope::app
