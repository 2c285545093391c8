// Shows an invalid mesh from which no lab can start: its points and triangles can be seen, clicked and checked, but
// there is no pass. It replaces the lab that refused the mesh and has its title and parameters, so that the user can
// continue there with a repaired or another file.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

/// `lab`: the lab that refused the mesh; only its description and parameters are used. reset() receives the input,
/// which has triangles; check() is inspect_mesh(), and passes if the refusal had another reason than the mesh.
std::unique_ptr<Lab> make_refused_input(std::unique_ptr<Lab> lab);

}  // namespace flipscope
