// The Tour lab: from point to point, always on to the nearest one that was not visited yet.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "compute/error.h"
#include "geometry/bounds.h"
#include "lab/lab.h"

namespace flipscope {

class TourLab final : public Lab, public Checkable {
  public:
    const LabInfo& info() const override {
        static const LabInfo info = [] {
            LabInfo made{"tour",
                         "Tour lab",
                         "Visits all points, from each one to the nearest that is left.",
                         "The nearest-neighbour heuristic for the travelling salesman problem.",
                         {{"visit", "The nearest point that was not visited yet comes next."}},
                         {{"visited", "points visited so far", true, true}}};
            made.makes_triangles = false;
            return made;
        }();
        return info;
    }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override {
        if (input->in_space()) throw Error("the Tour lab takes points of the plane, not of a surface");
        context_ = &context;
        input_ = std::move(input);
        places_.upload(context, input_->points.data(), input_->points.size());
        tour_.clear();
    }
    bool done() const override { return tour_.size() == input_->points.size(); }
    uint32_t next_pass() const override { return done() ? kNone : 0; }
    StepResult step() override {
        context_->throw_if_cancelled();
        tour_.push_back(nearest_left());
        StepResult result = PassResult::of(0, 1);
        result.counters[0] = static_cast<int64_t>(tour_.size());
        result.round = static_cast<uint32_t>(tour_.size());
        result.next = next_pass();
        result.ended = done() ? Level::kEnd : Level::kRound;  // a run can be saved between rounds
        return result;
    }
    Snapshot save() const override {
        Snapshot snapshot;
        put_values(snapshot, tour_.data(), tour_.size());
        return snapshot;
    }
    void load(const Snapshot& snapshot) override {
        require_below<uint32_t>(snapshot, 0, input_->points.size());
        tour_ = load_vector<uint32_t>(snapshot, 0);
    }
    Scene scene() const override {
        Scene scene;
        const Bounds bounds = bounds_of(input_->points);
        scene.low = bounds.low;
        scene.high = bounds.high;
        scene.point_count = static_cast<uint32_t>(places_.size());
        SegmentsLayer legs{&places_, nullptr, scene.point_count};
        for (size_t i = 1; i < tour_.size(); ++i) legs.few_ends.insert(legs.few_ends.end(), {tour_[i - 1], tour_[i]});
        scene.layers.push_back({"tour", "Tour", "The tour so far", true, std::move(legs)});
        PointsLayer points{&places_, nullptr, scene.point_count};
        scene.layers.push_back({"points", "Points", "The points of the input", true, points});
        return scene;
    }
    Result result() const override {
        Result result;
        result.points = input_->points.size();
        result.numbers.add("visited", tour_.size());
        return result;
    }
    CheckReport check() const override {
        CheckReport report;
        std::vector<uint32_t> visited = tour_;
        std::sort(visited.begin(), visited.end());
        report.checked = done();
        report.passed = done() && std::adjacent_find(visited.begin(), visited.end()) == visited.end();
        report.sentence = report.passed ? "tour: every point is visited once" : "tour: not every point is visited yet";
        return report;
    }

  private:
    uint32_t nearest_left() const {
        const std::vector<Point>& points = input_->points;
        std::vector<bool> visited(points.size());
        for (const uint32_t i : tour_) visited[i] = true;
        const Point here = points[tour_.empty() ? 0 : tour_.back()];
        uint32_t nearest = kNone;
        const auto square = [&](uint32_t i) {
            const double x = points[i].x - here.x, y = points[i].y - here.y;
            return x * x + y * y;
        };
        for (uint32_t i = 0; i < points.size(); ++i)
            if (!visited[i] && (nearest == kNone || square(i) < square(nearest))) nearest = i;
        return nearest;
    }

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    std::vector<uint32_t> tour_;                         // indices of points, in the order of visits
    Buffer<Point> places_{"points", Residence::kDrawn};  // OpenGL draws them from here
};

}  // namespace flipscope
