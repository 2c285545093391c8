// Parallel insertion on a torus, pass by pass: the engine behind the Build lab's periodic box. It makes the passes of
// torus_rounds.h and torus_flips.h, as TorusTriangulation::build() does, and names and reports them as Insertion does
// in the plane.
//
// Points are given in world units and wrapped into the box. Inside, in the mesh and in input(), they are relative to
// the corner of the box and on its grid (torus_box.h); place_of() converts them to world units.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "delaunay/constructions/construction.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/torus/torus_flips.h"
#include "delaunay/torus/torus_rounds.h"

namespace flipscope {

/// A periodic box somewhere in the plane.
struct PlacedBox {
    TorusBox box;
    Point corner;  // its lowest x and y, world units
    /// Whether a place of the world is in it; an open axis has no border.
    bool holds(Point p) const;
};

/// The box with these sides for these points. If both sides are 0, the input's own box; without one, a square that
/// suits the points: the unit square if it contains them, else their larger extent times √n / (√n − 1), at most four
/// times that, so that a square lattice closes on itself; 1 if they have no extent. Its corner is the origin if the box
/// then contains all points, else they are centred in it (the input's own box keeps its corner). The corner is on the
/// box's grid, so points on the grid keep their places. Throws Error for sides that no box can have.
///
/// If only one side is 0, the box is a cylinder, periodic along the other axis. Along its open axis it extends from the
/// lowest point to the highest.
PlacedBox box_for(const Geometry& input, Point sides);
/// The same box; a cylinder's extent along its open axis becomes that of these points.
PlacedBox fitted_to(const PlacedBox& place, const Geometry& input);

struct TorusInsertionOptions {
    PlacedBox place;
    ConflictRule conflict = ConflictRule::kLowestId;
    uint32_t block_size = 128;  // CUDA threads per block: a multiple of 32
};

class TorusInsertion final : public PointConstruction {
  public:
    /// The passes of Insertion, and one more: flips that turn flat triangles upright.
    enum Pass : uint32_t { kUntangle = Insertion::kRelocate + 1 };

    /// Starts over. Throws Error, and changes nothing, for more points than can be triangulated, and for a point that
    /// is not a number or is too far from the box.
    void reset(Context& context, std::shared_ptr<const Geometry> input, const TorusInsertionOptions& options);

    uint32_t next_pass() const override { return state_.next; }
    /// Counters are Insertion::Counter.
    void finish(const AfterRound& after_round, uint32_t rounds = kNone) override;

    const TorusInsertionOptions& options() const { return options_; }
    const TorusBox& box() const { return options_.place.box; }
    Point corner() const { return options_.place.corner; }
    /// The place in the box, on its grid, of a place of the world. nullopt where wrap_point() returns it, and beyond
    /// the borders of a cylinder.
    std::optional<Point> place_in_box(Point in_world) const;
    /// The place in the world of a place of the box, also beyond its border.
    Point place_of(Point in_box) const { return {corner().x + in_box.x, corner().y + in_box.y}; }
    /// The input as given, in world units.
    const std::shared_ptr<const Geometry>& given() const { return given_; }
    /// The input's point of this row in world units: as given, unless it was wrapped.
    Point place_of_row(size_t row) const;
    uint64_t wrapped_count() const { return wrapped_; }  // points that lay outside the box, and were wrapped

    uint32_t round() const override { return state_.round; }
    uint32_t iteration() const { return state_.iteration; }
    uint32_t waiting_count() const override { return state_.waiting; }
    /// (v) the row of the input of each vertex of the mesh, independent of names.
    std::vector<uint32_t> rows() const;
    /// The cut-open triangulation: the triangles in the world with their centres of mass in the box, on a cylinder
    /// those between its borders. Its points are first those of the input in the box, in order, then the images at
    /// corners of triangles across the border.
    TriangleSoup soup() const override;

    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot, size_t beside = 0) override;

  private:
    /// The state of the run outside buffers; saved and loaded as a whole.
    struct RunState {
        uint32_t next = kNone;
        uint32_t round = 0, iteration = 0;
        uint32_t waiting = 0;  // points not inserted
        FlipMachine::RunState flips;
    };

    PassResult run(uint32_t pass) override;
    void seed(PassResult& result);
    void claim(PassResult& result);
    PassResult flip_all(TorusRule rule, uint32_t pass);

    TorusInsertionOptions options_;
    std::shared_ptr<const Geometry> given_;
    uint64_t wrapped_ = 0;
    FlipMachine flips_;
    TorusRounds rounds_{mesh_, flips_};
    RunState state_;                              // `flips` is used between save() and load() only
    mutable std::vector<Point> unfolded_points_;  // returned by soup()
};

}  // namespace flipscope
