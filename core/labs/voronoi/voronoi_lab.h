// The Voronoi lab: sites on a lattice, their digital Voronoi diagram, its graph of neighbours beside the exact one, and
// Lloyd's iteration towards a centroidal diagram, after Bernaschi, Lulli and Sbragaglia (2016), sections II and III B.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& voronoi_lab_info();
std::unique_ptr<Lab> make_voronoi_lab();
/// Whether the lab supports this kind of edit.
bool voronoi_lab_takes(Edit::Kind kind);

}  // namespace flipscope
