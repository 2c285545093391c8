#include "instruments/refused_input.h"

#include <algorithm>
#include <cmath>

#include "flipscope/predicates.h"
#include "instruments/drawn_soup.h"
#include "instruments/failure_marks.h"
#include "mesh/hash.h"
#include "mesh/inspect.h"

namespace flipscope {

namespace {

class RefusedInput final : public Lab, public Inspectable, public Checkable {
  public:
    explicit RefusedInput(std::unique_ptr<Lab> lab) : lab_(std::move(lab)) {}

    const LabInfo& info() const override { return lab_->info(); }
    void parameters(ParameterVisitor& visitor) override { lab_->parameters(visitor); }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { records_states_ = records_states; }

    bool done() const override { return true; }
    uint32_t next_pass() const override { return kNone; }
    StepResult step() override { throw std::logic_error("a refused mesh has no passes"); }
    void finish(const std::function<void(const StepResult&)>&) override {}

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;

    uint64_t state_hash() const override;
    CheckReport check() const override { return found_.report; }
    bool needs_check() const override { return true; }  // check and mark the defects at once
    Result result() const override;
    TriangleSoup soup() const override;

    Snapshot save() const override { return {}; }
    void load(const Snapshot&) override {}

  private:
    std::unique_ptr<Lab> lab_;
    std::shared_ptr<const Geometry> input_;
    MeshInspection found_;
    Context* context_ = nullptr;
    TriangleMesh mesh_;
    DrawnBounds bounds_;
    bool records_states_ = true;
};

void RefusedInput::reset(Context& context, std::shared_ptr<const Geometry> input) {
    MeshInspection found = inspect_mesh(*input, &context);
    input_ = std::move(input);
    found_ = std::move(found);
    context_ = &context;
    bounds_ = draw_soup(context, *input_, found_.edges, records_states_, mesh_);
}

Scene RefusedInput::scene() const {
    Scene scene;
    if (!input_) return scene;
    scene.add_mesh(mesh_, static_cast<uint32_t>(input_->points.size()));
    scene.has_incidence = false;
    scene.low = bounds_.low;
    scene.high = bounds_.high;
    scene.low_z = bounds_.low_z;
    scene.high_z = bounds_.high_z;
    scene.in_space = input_->in_space();
    return scene;
}

Report RefusedInput::inspect(Element element) const {
    Report report;
    if (!input_ || element.id == kNone) return report;
    const Geometry& input = *input_;
    const auto name = [](uint32_t v) { return "vertex " + std::to_string(v); };
    Properties properties;
    if (element.kind == ElementKind::kVertex && element.id < input.points.size()) {
        properties.add("Vertex", element.id, "index in the input, from 0");
        properties.add("x", Value::exactly(input.points[element.id].x, "world units"), "exactly as read");
        properties.add("y", Value::exactly(input.points[element.id].y, "world units"));
        if (input.in_space()) properties.add("z", Value::exactly(input.heights[element.id], "world units"));
    } else if (element.kind == ElementKind::kEdge && element.id < found_.edges.size()) {
        const auto [a, b] = found_.edges[element.id];
        properties.add("Edge", element.id, name(a) + " to " + name(b));
        const Point3 along = input.at(b) - input.at(a);
        properties.add("Length", Value(std::sqrt(dot(along, along)), "world units"));
    } else if (element.kind == ElementKind::kTriangle && element.id < input.triangles.size()) {
        const auto& c = input.triangles[element.id];
        properties.add("Triangle", element.id, name(c[0]) + ", " + name(c[1]) + ", " + name(c[2]));
        const bool there = std::all_of(c.begin(), c.end(), [&](uint32_t v) { return v < input.points.size(); });
        if (there && !input.in_space()) {
            const int turn = orient2d(input.points[c[0]], input.points[c[1]], input.points[c[2]]);
            properties.add("Orientation", turn > 0 ? "counter-clockwise" : turn < 0 ? "clockwise" : "flat", "exact");
        }
    }
    report.add(std::move(properties));
    report.add(faults_of(found_.report, element));
    return report;
}

Element RefusedInput::pick(const Probe& probe) const {
    if (!input_) return {};
    return pick_element(*context_, mesh_, static_cast<uint32_t>(input_->points.size()), probe);
}

uint64_t RefusedInput::state_hash() const {
    uint64_t hash = mix64(input_ ? input_->points.size() : 0);
    if (!input_) return hash;
    const auto& [low, high, low_z, high_z] = bounds_;
    for (const Point3 p : {Point3{low.x, low.y, low_z}, Point3{high.x, high.y, high_z}})
        for (const double x : {p.x, p.y, p.z}) hash = mix64(hash ^ exact::bits_of(x));
    for (const auto& triangle : input_->triangles)
        for (const uint32_t v : triangle) hash = mix64(hash ^ v);
    return hash;
}

Result RefusedInput::result() const {
    Result result;
    if (!input_) return result;
    result.points = input_->points.size();
    result.triangles = input_->triangles.size();
    result.edges = found_.edges.size();
    for (const CheckFailure& failure : found_.report.failures) {
        result.unused += failure.code == "unused-point";
        result.duplicates += failure.code == "duplicate-point";
    }
    return result;
}

TriangleSoup RefusedInput::soup() const {
    TriangleSoup soup;
    if (!input_) return soup;
    soup.points = &input_->points;
    soup.triangles = input_->triangles;
    if (input_->in_space()) soup.heights = &input_->heights;
    soup.level = input_->level;
    return soup;
}

}  // namespace

std::unique_ptr<Lab> make_refused_input(std::unique_ptr<Lab> lab) {
    return std::make_unique<RefusedInput>(std::move(lab));
}

}  // namespace flipscope
