// The Serial lab: inserts one point after another on the CPU, as a textbook does, and each click is the next point.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "delaunay/constructions/serial.h"
#include "instruments/inspected_mesh.h"
#include "instruments/triangle_words.h"
#include "lab/lab.h"
#include "labs/point_editing_lab.h"

namespace flipscope {

namespace {

/// What theory expects of random points in an order of insertion, for curves over n.
struct Expected {
    const char *walk, *work;
};
constexpr const char* kFewFlips = "O(1): about three flips, as a point has about six neighbours on average";
constexpr const char* kNoBound = "O(n) in the worst case: a point can have all others as neighbours";
// By InsertionOrder.
constexpr Expected kExpected[] = {
    {"O(1) on average: few points lie between two along the curve of a sample", kFewFlips},
    {"O(√n) for points in random places", kNoBound},
    {"O(√n) for points in random places", kNoBound},
    {"O(√n): the last point is anywhere", kFewFlips},
    {"at most O(√n): the last point is anywhere in the front", kNoBound},
    {"O(1): the last point is near along the curve", kNoBound},
    {"nearly O(1): the last point is near along the spiral, but triangles at the front are long", kNoBound},
};

class SerialLab final : public PointEditingLab, public Measurable {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    Scene scene() const override;
    Report statistics() const override;
    std::shared_ptr<const Geometry> edited_input() const override {
        const auto& after = insertion_.points_after();
        return after ? after : PointEditingLab::edited_input();
    }
    StepResult step() override {
        StepResult result = PointEditingLab::step();
        draw_pass();
        return result;
    }
    void finish(const std::function<void(const StepResult&)>& after_round) override {
        PointEditingLab::finish(after_round);
        draw_pass();
    }

  private:
    PointConstruction& engine() override { return insertion_; }
    void reset_engine(Context& context, std::shared_ptr<const Geometry> input) override {
        if (!context.on_cuda()) require_plane(*input);  // a message about the device comes first
        insertion_.reset(context, std::move(input),
                         {static_cast<InsertionOrder>(order_), static_cast<SerialOptions::Method>(method_),
                          static_cast<SerialOptions::Pace>(step_), start_ == 1});
    }
    void restart_engine(std::shared_ptr<const Geometry> input) override {
        insertion_.reset(insertion_.context(), std::move(input), SerialOptions(insertion_.options()));
    }
    void engine_moved(bool) override { draw_pass(); }
    void describe_edit(StepResult& result) const override {
        result.counters[SerialInsertion::kUninserted] = insertion_.waiting_count();
    }
    bool continues_runs() const override { return true; }
    std::optional<Level> edit_in_place(const Edit& edit, const std::shared_ptr<const Geometry>& points,
                                       const std::vector<uint32_t>& names, uint32_t name,
                                       StepMessage& message) override;
    StepMessage message_of_round(const PassResult& round, uint32_t first) const override {
        StepMessage message = PointEditingLab::message_of_round(round, first);
        if (first <= SerialInsertion::kSeed) message.add(message_after(SerialInsertion::kSeed));
        return message;
    }
    StepMessage message_after(uint32_t pass) const override {
        if (pass == SerialInsertion::kOrder) return ordering_message(insertion_);
        if (pass == SerialInsertion::kSeed && !insertion_.path().empty()) return line_message(insertion_);
        return verdict();
    }
    StepMessage verdict() const;
    void draw_pass();

    int order_ = 0, method_ = 0, step_ = 0, start_ = 0;
    SerialInsertion insertion_;
    // Drawn after a pass: the centres of the triangles of the walk and its goal; the circle of the test.
    Buffer<Point> walk_{"walk", Residence::kDrawn}, circle_{"circle", Residence::kDrawn};
    uint32_t walk_count_ = 0, circle_count_ = 0;
};

void SerialLab::parameters(ParameterVisitor& visitor) {
    visitor.choice("order", "Order", "The order in which the points of the input are inserted.", order_,
                   {{"biased", "ever larger random samples, each along the Hilbert curve"},
                    {"clicked", "as the points were given, then as they were clicked"},
                    {"file", "as in the file: by their numbers"},
                    {"random", "a random order"},
                    {"x", "by x: each point lies outside the hull"},
                    {"hilbert", "along the Hilbert curve"},
                    {"spiral", "along a spiral from the middle outwards"}});
    visitor.choice("method", "Method", "How a point is inserted into its triangle; the triangulation is the same.",
                   method_,
                   {{"lawson", "split the triangle, and flip edges until all are legal"},
                    {"bowyer-watson",
                     "remove the triangles whose circles contain the point, and join it to the border of the cavity"}});
    visitor.choice("step", "Step by",
                   "What one step of the passes legalise, cavity and ear does; the triangulation is the same.", step_,
                   {{"point", "everything that the point makes necessary"},
                    {"flip", "up to one flip, or one triangle of the cavity; edges still in the worklist are marked"},
                    {"test", "one test, drawn with its circle and verdict, or one flip"}});
    visitor.choice("walk_from", "Walk from", "Where the walk to a point starts.", start_,
                   {{"last", "the triangle of the last point"}, {"fixed", "always triangle 0"}});
}

std::optional<Level> SerialLab::edit_in_place(const Edit& edit, const std::shared_ptr<const Geometry>& points,
                                              const std::vector<uint32_t>& names, uint32_t name, StepMessage& message) {
    if (!insertion_.can_edit()) return {};
    using Edited = SerialInsertion::Edited;
    const SerialInsertion::Points changed{points, names};
    Edited edited = Edited::kImpossible;
    if (edit.kind == Edit::Kind::kAddVertex) {
        edited = insertion_.add(changed, name);
        if (edited == Edited::kDone)
            message.add("duplicate", "Its place is that of another point: it is a duplicate, and merged.");
    } else if (edit.kind == Edit::Kind::kRemoveVertex) {
        edited = insertion_.remove(edit.id, changed);
    } else {
        edited = insertion_.move(edit.id, {edit.end().x, edit.end().y}, changed);
    }
    draw_pass();
    if (edited == Edited::kImpossible) return {};
    return edited == Edited::kBegun ? Level::kPass : Level::kRound;
}

/// The last test in words, where each is a step.
StepMessage SerialLab::verdict() const {
    StepMessage message;
    const auto& test = insertion_.last_test();
    if (!test || step_ != static_cast<int>(SerialOptions::Pace::kTest)) return message;
    const TriangleMesh& mesh = insertion_.mesh();
    const auto name = [&](uint32_t v) {
        return v == mesh.infinite() ? std::string("infinity") : point_name(insertion_, mesh.inputs.read(v));
    };
    const auto at = [&](uint32_t v) { return mesh.positions.read(v); };
    const std::string verdict = test->illegal ? "illegal" : "legal";
    std::string sentence = "The edge from " + name(test->from) + " to " + name(test->to) + " is " + verdict;
    if (std::max({test->from, test->to, test->apex, test->point}) == mesh.infinite())
        sentence += ", by the rule for edges at infinity.";
    else {
        const bool tied = incircle(at(test->from), at(test->to), at(test->apex), at(test->point)) == 0;
        sentence += ": " + name(test->point) + " lies " +
                    (tied            ? "on"
                     : test->illegal ? "inside"
                                     : "outside") +
                    " the circumcircle of the triangle with " + name(test->apex) +
                    (tied ? ", and the indices decide the tie." : ".");
    }
    message.add(verdict, sentence);
    return message;
}

void SerialLab::draw_pass() {
    walk_count_ = circle_count_ = 0;
    const TriangleMesh& mesh = insertion_.mesh();
    if (!mesh.records_states() || mesh.triangle_count == 0) return;
    const MeshView view = mesh.view();
    const auto draw = [&](const std::vector<Point>& points, Buffer<Point>& buffer, uint32_t& count) {
        buffer.upload(insertion_.context(), points.data(), points.size());
        count = static_cast<uint32_t>(points.size());
    };
    if (const std::vector<uint32_t>& triangles = insertion_.walk(); !triangles.empty()) {
        std::vector<Point> way;
        for (const uint32_t t : triangles) {
            if (view.is_ghost(t)) continue;
            Point sum{0, 0};
            for (uint32_t k = 0; k < 3; ++k) {
                const Point corner = view.positions[view.triangles[3 * t + k]];
                sum = {sum.x + corner.x / 3, sum.y + corner.y / 3};
            }
            way.push_back(sum);
        }
        way.push_back(view.positions[insertion_.vertex_at_work()]);
        draw(way, walk_, walk_count_);
    }
    if (const auto& test = insertion_.last_test(); test && std::max({test->from, test->to, test->apex}) < view.infinite)
        if (const auto circle =
                circumcircle(view.positions[test->to], view.positions[test->from], view.positions[test->apex])) {
            constexpr int kSides = 128;
            std::vector<Point> ring;
            for (int i = 0; i <= kSides; ++i) {
                const double angle = 2 * std::numbers::pi * (i % kSides) / kSides;
                ring.push_back({circle->centre.x + circle->radius * std::cos(angle),
                                circle->centre.y + circle->radius * std::sin(angle)});
            }
            draw(ring, circle_, circle_count_);
        }
}

Scene SerialLab::scene() const {
    Scene scene = PointEditingLab::scene();
    const auto add = [&](const char* id, const char* title, const char* sentence, const Buffer<Point>& places,
                         uint32_t count, Role role) {
        if (count < 2) return;
        SegmentsLayer line{&places, nullptr, count};
        for (uint32_t i = 0; i + 1 < count; ++i) line.few_ends.insert(line.few_ends.end(), {i, i + 1});
        scene.layers.push_back({id, title, sentence, true, std::move(line)});
        scene.layers.back().role = role;
    };
    add("walk", "Walk", "From triangle to triangle to the new point", walk_, walk_count_, Role::kChosen);
    add("circle", "Circle of the test", "The circle of the triangle beyond the edge that was tested last", circle_,
        circle_count_, insertion_.last_test() && insertion_.last_test()->illegal ? Role::kIllegal : Role::kExact);
    using E = LegendEntry::Element;
    scene.put_legend_first({
        {E::kEdge, kStateChosen, Role::kExact, "legal", "Tested: the opposite point does not lie inside the circle."},
        {E::kTriangle, kStateLocked, Role::kLocked, "cavity",
         "Its circle contains the new point, or the point that is removed is a corner of it: it goes."},
        {E::kTriangle, kStateChosen, Role::kChosen, "walk", "The walk to the new point came through it."},
        {E::kTriangle, kStateFresh, Role::kFresh, "ear", "Cut off the triangles of the point that is removed."},
        {E::kVertex, kStateChosen, Role::kChosen, "at work", "The point that is inserted or removed now."},
    });
    return scene;
}

Report SerialLab::statistics() const {
    constexpr size_t kMostPlotted = 200;  // of a curve; with more points, each is a mean
    using Work = SerialInsertion::PointWork;
    const std::vector<Work>& work = insertion_.work();
    const SerialOptions& options = insertion_.options();
    const bool lawson = options.method == SerialOptions::Method::kLawson;
    const Expected& expected = kExpected[static_cast<uint32_t>(options.order)];
    Report report;
    const auto add = [&](const char* name, const char* counted, const char* sentence, uint32_t Work::*number,
                         const char* theory) {
        Curve curve;
        curve.name = name;
        curve.sentence = sentence;
        curve.x_name = "points inserted";
        curve.y_name = std::string(counted) + " a point";
        const size_t count = std::min(work.size(), kMostPlotted);
        for (size_t i = 0; i < count; ++i) {
            const size_t begin = work.size() * i / count, end = work.size() * (i + 1) / count;
            double sum = 0;
            for (size_t k = begin; k < end; ++k) sum += work[k].*number;
            curve.x.push_back(0.5 * static_cast<double>(begin + end + 1));
            curve.y.push_back(sum / static_cast<double>(end - begin));
        }
        curve.remark = std::string("Expected: ") + theory + ".";
        if (count > 0) report.add(std::move(curve));
    };
    add("walk", "triangles", "Triangles that the walk to each point entered", &Work::walked,
        options.fixed_start ? "O(√n) for points in random places" : expected.walk);
    add("tests", "tests", "Edges that were tested for each point", &Work::tested, expected.work);
    add(lawson ? "flips" : "cavity", lawson ? "flips" : "triangles",
        lawson ? "Edges that flipped for each point" : "Triangles that were removed for each point", &Work::changed,
        expected.work);
    return report;
}

const LabInfo& SerialLab::info() const {
    static const LabInfo info = [] {
        LabInfo made{
            "serial",
            "Serial construction",
            "Inserts one point after the other and restores the Delaunay property each time.",
            "Algorithms 2 and 3 of P. Drozd, Delaunay Triangulations on the GPU (Trinity College Dublin, 2025), with a "
            "biased randomized insertion order and walking point location, which make it O(n log n); and the "
            "insertion of A. Bowyer and of D. F. Watson (The Computer Journal 24, 1981).",
            {{"order", "Points are sorted by Hilbert index, and equal points are merged."},
             {"seed", "Three points make the first triangle; the others wait in the chosen order."},
             {"locate",
              "From triangle to triangle to the one that contains the next point; outside the hull that is a ghost "
              "triangle, with a corner at infinity."},
             {"split", "The triangle is split into three at the point."},
             {"legalise", "Edges opposite the new point flip until all are legal."},
             {"cavity",
              "From that triangle across each edge whose other triangle has the point inside its circle: these "
              "triangles go."},
             {"rejoin", "The point is joined to the border of the cavity."},
             {"ear",
              "To remove a point, its neighbours are cut off its star one by one, until the last three triangles "
              "become one."},
             {"edit",
              "A manual edit: a point was added, and is inserted next; or it was removed or moved, which the next "
              "passes complete."}},
            {{"inserted", "points inserted by this pass", false, false, Quantity::kInsertedPoints},
             {"walked", "triangles entered on the walk to the point"},
             {"queued", "edges tested, with those to the vertex at infinity; of the pass ear, corners tested"},
             {"illegal", "edges that failed the in-circle test; of the pass cavity, triangles that joined it"},
             {"flipped", "edges flipped", false, false, Quantity::kFlips},
             {"uninserted", "points that still wait", true}}};
        made.edits = PointEditingLab::edits();
        made.on_cpu_only = true;
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_serial_lab() { return std::make_unique<SerialLab>(); }

}  // namespace flipscope
