// Parallel insertion on a torus, pass by pass: the engine behind the Build lab's periodic box. It makes the passes of
// torus_rounds.h and torus_flips.h, as TorusTriangulation::build() does, and names and tells of them as Insertion does
// of those in the plane.
//
// Points are given in world units and wrapped into the box. Inside, in the mesh and in input(), they are places of
// the box as seen from its corner, on its grid (torus_box.h); place_of() says where that is in the world.
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
    /// Whether a place of the world lies in it; along an open axis there is no border.
    bool holds(Point p) const;
};

/// The box of these sides for these points. Where both are 0, the input's own; or, if it has none, a square that suits
/// them: the unit square where they all lie in it, else their larger extent times √n / (√n − 1), at most four times
/// that, so that a square lattice closes on itself; 1 where they have no extent. But for the input's own its corner is
/// the origin where the box then holds all points, else they lie in its middle; it is on the box's grid, so that places
/// on it stay as they are. Throws Error for sides that no box can have.
///
/// One side alone that is 0 means a cylinder, periodic along the other axis. Along its open axis it begins at the
/// lowest point and ends at the highest.
PlacedBox box_for(const Geometry& input, Point sides);
/// The same box, but of a cylinder that reaches along its open axis as far as these points.
PlacedBox fitted_to(const PlacedBox& place, const Geometry& input);

struct TorusInsertionOptions {
    PlacedBox place;
    ConflictRule conflict = ConflictRule::kLowestId;
    uint32_t block_size = 128;  // CUDA threads per block: a multiple of 32
};

class TorusInsertion final : public PointConstruction {
  public:
    /// Those of Insertion, and one of its own: flips that turn flat triangles upright.
    enum Pass : uint32_t { kUntangle = Insertion::kRelocate + 1 };

    /// Starts over. Throws Error, and is as before, for more points than can be triangulated, and for one that is no
    /// number or too far from the box.
    void reset(Context& context, std::shared_ptr<const Geometry> input, const TorusInsertionOptions& options);

    uint32_t next_pass() const override { return state_.next; }
    /// Counters are Insertion::Counter.
    PassResult step() override;
    void finish(const AfterRound& after_round, uint32_t rounds = kNone) override;

    const TorusInsertionOptions& options() const { return options_; }
    const TorusBox& box() const { return options_.place.box; }
    Point corner() const { return options_.place.corner; }
    /// Where a place of the world lies in the box, on its grid. Nothing where wrap_point() has nothing, and beyond the
    /// borders of a cylinder.
    std::optional<Point> place_in_box(Point in_world) const;
    /// Of a place of the box, also beyond its border: in the world.
    Point place_of(Point in_box) const { return {corner().x + in_box.x, corner().y + in_box.y}; }
    /// As it was given, with the points in world units.
    const std::shared_ptr<const Geometry>& given() const { return given_; }
    /// Where the input's point of this row lies in the box, in the world: as it was given, unless it was wrapped.
    Point place_of_row(size_t row) const;
    uint64_t wrapped_count() const { return wrapped_; }  // points that lay outside the box, and were wrapped

    uint32_t round() const override { return state_.round; }
    uint32_t iteration() const { return state_.iteration; }
    uint32_t waiting_count() const override { return state_.waiting; }
    /// (v) of each vertex of the mesh which of the input's points it is: their row, whatever they are called.
    std::vector<uint32_t> rows() const;
    /// Cut open: the triangles in the world with their centres of mass in the box, on a cylinder those between its
    /// borders. First the points where they lie in the box, in the order of the input, then images of those that
    /// triangles beyond the border mean.
    TriangleSoup soup() const override;

    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot, size_t beside = 0) override;

  private:
    /// Everything about the run that is not in a buffer; saved and loaded as it is.
    struct RunState {
        uint32_t next = kNone;
        uint32_t round = 0, iteration = 0;
        uint32_t waiting = 0;  // points not inserted
        FlipMachine::RunState flips;
    };

    PassResult run(uint32_t pass);
    void seed(PassResult& result);
    void claim(PassResult& result);
    PassResult flip_all(TorusRule rule, uint32_t pass);

    TorusInsertionOptions options_;
    std::shared_ptr<const Geometry> given_;
    uint64_t wrapped_ = 0;
    FlipMachine flips_;
    TorusRounds rounds_{mesh_, flips_};
    RunState state_;                              // its `flips` only between save() and load()
    mutable std::vector<Point> unfolded_points_;  // what soup() lends
};

}  // namespace flipscope
