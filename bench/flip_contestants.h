// The Flip lab and Lawson's sequential flips as contestants: both start from the same triangulation with the same
// arrays, and only flipping is timed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/contestants.h"
#include "delaunay/constructions/lawson.h"
#include "delaunay/flip/flip_rules.h"

namespace flipscope::bench {

/// The course of the flips, identical in every run.
struct Course {
    std::vector<uint64_t> flips;  // per iteration
    uint64_t all_flips = 0;
    uint64_t illegal = 0;        // edges to flip in the first iteration
    uint64_t tests = 0;          // edge tests in all iterations
    uint64_t illegal_tests = 0;  // tests that found an edge illegal
};

/// The criterion for flipping an edge, from the lab's parameters.
struct FlipRule {
    enum class Kind { kInCircle, kAngles, kAnglesFloat, kSurface } kind = Kind::kInCircle;
    Slack slack;
    double epsilon = 0, dihedral = 0;  // radians, of the surface rule

    bool exact() const { return kind == Kind::kInCircle; }
    /// Calls visit(rule) with a rule of flip_rules.h.
    template <class Visit>
    auto with(const Visit& visit) const {
        if (kind == Kind::kAngles) return visit(AngleRule<double>{slack});
        if (kind == Kind::kAnglesFloat) return visit(AngleRule<float>{slack});
        if (kind == Kind::kSurface) return visit(make_surface_rule(epsilon, dihedral));
        return visit(InCircleRule{});
    }
};

/// The Flip lab by finish(), from a triangulation in memory. Every run starts from the restored initial state and keeps
/// its memory; making and restoring are not timed.
class Flipper : public Contestant {
  public:
    /// Uses its own context. Makes the triangulation if `input` has only points, and runs once to record the course.
    /// Throws Error like the lab for unsupported input.
    Flipper(DeviceRequest device, int threads, const Settings& settings, std::shared_ptr<const Geometry> input);

    std::string name() const override { return "ours"; }
    void prepare() override;
    double run() override;
    uint64_t triangles() const override { return first_.triangles; }

    const HostMesh& start() const { return start_mesh_; }             // shared by all contestants
    const Geometry& start_points() const { return start_geometry_; }  // moved if the start moves them
    FlipRule rule() const;
    const Course& course() const { return course_; }
    const Profile& profile() const { return profile_; }
    const Result& first() const { return first_; }                         // of the run that recorded the course
    Result last() const { return lab_->result(); }                         // of the last run
    CheckReport check() const { return facet<Checkable>(*lab_).check(); }  // of the same
    size_t peak_bytes() const { return context_.peak_bytes(); }

  private:
    void learn_course();

    Context context_;
    std::unique_ptr<Lab> lab_;
    Snapshot start_;
    HostMesh start_mesh_;
    Geometry start_geometry_;
    Course course_;
    Profile profile_;
    Result first_;
};

/// One thread on the CPU, whatever the device of ours. Edges that cannot flip yet are tested again after the others
/// have flipped, as in ours.
class Lawson : public Contestant {
  public:
    Lawson(const HostMesh& start, const FlipRule& rule) : start_(start), rule_(rule) {}

    std::string name() const override { return "lawson"; }
    void prepare() override { mesh_ = start_; }
    double run() override;
    uint64_t triangles() const override;

    const LawsonResult& result() const { return result_; }
    uint64_t triangulation_hash() const;  // as in Result
    uint64_t count_illegal();             // edges that must flip and can

  private:
    const HostMesh& start_;
    FlipRule rule_;
    HostMesh mesh_;
    LawsonResult result_;
};

}  // namespace flipscope::bench
