// The Voronoi lab: sites on a lattice, their digital Voronoi diagram, the graph of its neighbours beside the exact one,
// and Lloyd's iteration towards a centroidal diagram, after Bernaschi, Lulli and Sbragaglia (2016), sections II and
// III B.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& voronoi_lab_info();
std::unique_ptr<Lab> make_voronoi_lab();
/// Whether such edits can be made by hand.
bool voronoi_lab_takes(Edit::Kind kind);

}  // namespace flipscope
