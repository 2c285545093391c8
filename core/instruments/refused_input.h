// What is shown of a mesh that no lab can start from: its points and triangles as they are, to be seen, clicked and
// checked, with no pass to run. It stands in for the lab that refused it, and has that lab's title and parameters, so
// that mending the file, or taking another, goes on there.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

/// `lab`: which refused it; it is asked for its description and its parameters alone. The input, which has triangles,
/// is given to reset(); check() is inspect_mesh() of it, and passes where something else than the mesh was the reason.
std::unique_ptr<Lab> make_refused_input(std::unique_ptr<Lab> lab);

}  // namespace flipscope
