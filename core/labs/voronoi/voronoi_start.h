// The start of the Voronoi lab: its parameters, and the lattice, obstacles, density and sites that they make from an
// input. All of it is host code, run once at reset(), so that errors are found before the previous run is lost.
#pragma once

#include <optional>
#include <vector>

#include "lab/lab.h"
#include "voronoi/density.h"
#include "voronoi/graph/stencil.h"
#include "voronoi/obstacles.h"
#include "voronoi/voronoi_machine.h"

namespace flipscope {

enum class VoronoiData : int { kLattice, kPoints };
enum class GraphWhen : int { kEvery, kEnd };
enum class AfterEdit : int { kAtOnce, kStep };
inline constexpr int kAutoDensity = 0;  // the other choices are DensityKind + 1

struct VoronoiParameters {
    int width = 400, height = 400;  // pixels
    bool image_size = true;         // an image in use determines the lattice's size
    PeriodicAxes periodic = {};
    Point box = {};   // periodic box of the points, units of the input; 0: the input's own, or none; one side 0: open
    int sites = 200;  // random sites if no points are given; clusters of points
    int seed = 1;
    bool by_density = true;  // random sites follow the density
    bool fit = true;
    int data = 0;     // VoronoiData
    int method = 0;   // ColouringMethod
    int density = 0;  // kAutoDensity, or DensityKind + 1
    double contrast = 1, gamma = 1;
    int obstacles = 0;  // ObstacleKind
    int obstacle_count = 8, obstacle_height = 60, obstacle_width = 16;
    double obstacle_threshold = 0.5;
    int lloyd = 0;            // iterations
    double tolerance = 1e-3;  // world units
    int graph = 0;            // GraphWhen
    bool compare = true;
    StencilRules rules = {.exact_cells = int(ExactCells::kNear)};
    int after_edit = 0;  // AfterEdit
    int block_size = 128;
};
void visit_voronoi_parameters(ParameterVisitor& visitor, VoronoiParameters& parameters);

struct VoronoiStart : VoronoiInput {
    std::vector<float> image;    // (h, w) 0 black … 1 white; empty: no image in use
    double scale = 1;            // lattice units to a unit of the input
    Point middle, given_middle;  // the same place on the lattice and in the input
    StepMessage message;         // for the first pass
    /// Units of the input if its points were scaled to the lattice.
    std::optional<LatticeUnits> units;
    /// A place of the lattice in units of the input.
    Point as_given(Point p) const { return units ? units->as_given(p) : p; }
};

/// Throws Error for a requested image that is missing, coordinates out of range, and clusters without points.
VoronoiStart make_voronoi_start(const VoronoiParameters& parameters, const Geometry& input);

}  // namespace flipscope
