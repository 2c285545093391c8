// The Subdivision lab: splits the plane in four, again and again, until every Voronoi vertex has a cell of its own.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "delaunay/constructions/subdivision.h"
#include "instruments/explain.h"
#include "lab/element_links.h"
#include "lab/lab.h"
#include "lab/vocabulary.h"
#include "labs/point_editing_lab.h"
#include "labs/subdivide/subdivide_drawing.h"

namespace flipscope {

namespace {

class SubdivideLab final : public PointEditingLab {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    StepResult step() override {
        drawn_ = false;
        return PointEditingLab::step();
    }
    void finish(const std::function<void(const StepResult&)>& after_round) override {
        drawn_ = false;
        PointEditingLab::finish(after_round);
    }

    /// During a round the array is not packed.
    Level editable_after() const override { return Level::kRound; }

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    CheckReport check() const override {
        if (done()) return ConstructionLab::check();
        return CheckReport::nothing(
            "there is no triangulation yet: triangles are joined when all Voronoi vertices are found");
    }

  private:
    enum Measure : uint32_t { kCopiesPerPoint, kCandidatesPerPoint, kCandidatesPerCell, kMeasures };

    PointConstruction& engine() override { return engine_; }
    void reset_engine(Context& context, std::shared_ptr<const Geometry> input) override {
        require_plane(*input);
        engine_.reset(context, std::move(input),
                      {.leaf = static_cast<uint32_t>(leaf_),
                       .patience = static_cast<uint32_t>(patience_),
                       .block_size = static_cast<uint32_t>(block_size_)});
    }
    void restart_engine(std::shared_ptr<const Geometry> input) override {
        engine_.reset(engine_.context(), std::move(input), SubdivisionOptions(engine_.options()));
    }
    void engine_moved(bool) override { drawn_ = false; }
    uint32_t seeding_pass() const override { return Subdivision::kOrder; }
    void describe_edit(StepResult& result) const override {
        if (done()) return;
        result.counters[Subdivision::kCells] = engine_.cell_count();
        result.counters[Subdivision::kCandidates] = engine_.candidate_count();
    }
    StepMessage message_after(uint32_t pass) const override;
    void measure(StepResult& result) const override;
    Report inspect_cell(uint32_t cell) const;
    void add_cell_of(uint32_t vertex, Report& report) const;

    int leaf_ = 3, patience_ = 3, block_size_ = 128;
    Subdivision engine_;
    mutable bool drawn_ = false;        // of the present state
    mutable SubdivideDrawing drawing_;  // of the state of the last scene()
};

void SubdivideLab::parameters(ParameterVisitor& visitor) {
    visitor.integer("leaf", "Few candidates",
                    "A cell with this many candidates or fewer is not split: every three of them are tried. The paper "
                    "uses 3; a larger number takes fewer rounds.",
                    leaf_, 3, static_cast<int>(kMostByThread));
    visitor.integer("patience", "Patience",
                    "A cell leaves after so many splits in a row that multiplied its candidates by 7/4 or more (off: "
                    "never). Without it points on a curve would take a number of cells quadratic in theirs.",
                    patience_, 1, 100);
    visitor.or_word("off");
    visit_block_size(visitor, block_size_);
}

StepMessage SubdivideLab::message_after(uint32_t pass) const {
    StepMessage message;
    if (pass == Subdivision::kOrder) {
        message = ordering_message(engine_);
        if (!engine_.path().empty()) message.add(line_message(engine_));
    }
    return message;
}

void SubdivideLab::measure(StepResult& result) const {
    const double points = engine_.distinct();
    result.measures.assign(kMeasures, std::numeric_limits<double>::quiet_NaN());
    const int64_t copied = result.counters[Subdivision::kCopied], cells = result.counters[Subdivision::kCells],
                  candidates = result.counters[Subdivision::kCandidates];
    if (points == 0) return;
    if (copied != kNotCounted) result.measures[kCopiesPerPoint] = double(copied) / points;
    if (candidates != kNotCounted) result.measures[kCandidatesPerPoint] = double(candidates) / points;
    if (cells > 0) result.measures[kCandidatesPerCell] = double(candidates) / double(cells);
}

Scene SubdivideLab::scene() const {
    if (!drawn_) {
        if (records_states_)
            drawing_.draw(engine_);
        else
            drawing_.forget();
    }
    drawn_ = true;
    Scene scene;
    if (done()) {
        scene = ConstructionLab::scene();
    } else {
        scene.low = engine_.bounds().low;
        scene.high = engine_.bounds().high;
        scene.mesh = engine_.distinct() > 0 ? &engine_.mesh() : nullptr;
    }
    drawing_.add_layers(engine_, scene);
    // Some of the surroundings of the points, where cells leave early.
    const double margin = std::max(scene.high.x - scene.low.x, scene.high.y - scene.low.y) / 8;
    scene.low = {scene.low.x - margin, scene.low.y - margin};
    scene.high = {scene.high.x + margin, scene.high.y + margin};
    return scene;
}

Element SubdivideLab::pick(const Probe& probe) const {
    const Element element = ConstructionLab::pick(probe);
    if (element.id != kNone || done() || next_pass() == Subdivision::kOrder) return element;
    const uint32_t cell = SubdivideDrawing::cell_at(engine_, probe.place);
    return {ElementKind::kTriangle, cell == kNone ? kNone : 2 * cell};
}

Report SubdivideLab::inspect(Element element) const {
    if (done() || element.kind == ElementKind::kVertex || element.id == kNone) {
        Report report = ConstructionLab::inspect(element);
        const bool in_cells = !done() && next_pass() != Subdivision::kOrder && !report.empty();
        if (in_cells && element.id < engine_.distinct()) add_cell_of(element.id, report);
        return report;
    }
    return inspect_cell(element.kind == ElementKind::kTriangle ? element.id / 2 : element.id / 4);
}

/// The first of the two triangles that draw a cell identifies it.
Link link_to_cell(uint32_t cell) { return {std::to_string(cell), {ElementKind::kTriangle, 2 * cell}}; }

/// Adds the cell in which a point lies, unless the cell has left.
void SubdivideLab::add_cell_of(uint32_t vertex, Report& report) const {
    const uint32_t cell = SubdivideDrawing::cell_at(engine_, engine_.mesh().positions.read(vertex));
    auto* const properties = std::get_if<Properties>(&report.sections.front().content);
    if (cell == kNone || !properties) return;
    properties->add_links("Cell", {link_to_cell(cell)}, "that it lies in, by its number in the present round");
}

Report SubdivideLab::inspect_cell(uint32_t id) const {
    constexpr size_t kMostShown = 1000;
    Report report;
    const auto facts = SubdivideDrawing::lesson_values(engine_, id);
    if (!facts) return report;
    const Cell& cell = facts->cell;
    const Point low = cell.low, high = cell.high();
    Properties properties;
    const double level = std::log2(engine_.root().side) - std::log2(cell.side);
    properties.add("Cell", id, "its number in the present round");
    properties.add("Corner", Value(low, "world units"), "its lower left one, which is in it");
    properties.add("Side", Value::exactly(cell.side, "world units"), "upper and right sides are not in it");
    properties.add("Level", static_cast<int64_t>(std::lround(level)), "splits from the root to it");
    properties.add("Candidates", static_cast<int64_t>(facts->candidates.size()), "points that can own a place in it");
    properties.add("Head and tail",
                   std::vector<int64_t>{facts->head, facts->head + static_cast<int64_t>(facts->candidates.size()) - 1},
                   "the first and the last index of its part of the array");
    if (!facts->superfluous.empty())
        properties.add("Superfluous", static_cast<int64_t>(facts->superfluous.size()),
                       "of these, those farther than another one from every corner of the cell");
    const auto links_to = [&](const std::vector<uint32_t>& vertices) {
        std::vector<Link> links;
        for (const uint32_t v : vertices)
            links.push_back({short_point_name(engine_, engine_.mesh().inputs.read(v)), {ElementKind::kVertex, v}});
        return links;
    };
    std::vector<Link> beside;
    for (const uint32_t other : SubdivideDrawing::cells_beside(engine_, id)) beside.push_back(link_to_cell(other));
    add_cut_links("Neighbours", std::move(beside), properties, "cells with a part of a side in common");
    add_cut_links("Points", links_to(facts->candidates), properties, "its candidates, by their indices in the input");
    add_cut_links("Superfluous points", links_to(facts->superfluous), properties);
    if (facts->judged) {
        static const char* const kVerdicts[] = {"is split", "leaves", "leaves", "leaves", "leaves"};
        static const char* const kReasons[] = {
            "it has more candidates than can be tried by threes", "few candidates: each three of them were tried",
            "all its candidates are on one circle: they make a fan by rank",
            "its halves have no exact corners in doubles: its candidates were triangulated",
            "splits only multiply its candidates: they were triangulated"};
        properties.add("Verdict", kVerdicts[facts->verdict], kReasons[facts->verdict]);
    }
    report.add(std::move(properties));
    report.highlights.push_back(
        Highlight::polygon({{low.x, low.y, 0}, {high.x, low.y, 0}, {high.x, high.y, 0}, {low.x, high.y, 0}},
                           Role::kChosen, "cell " + std::to_string(id)));
    if (facts->candidates.size() > kMostShown) return report;
    for (const uint32_t v : facts->candidates) {
        const Point at = engine_.mesh().positions.read(v);
        const bool superfluous =
            std::find(facts->superfluous.begin(), facts->superfluous.end(), v) != facts->superfluous.end();
        report.highlights.push_back(superfluous
                                        ? Highlight::point({at.x, at.y, 0}, Role::kDeferred, "superfluous point")
                                        : Highlight::point({at.x, at.y, 0}, Role::kChosen, "candidate"));
    }
    return report;
}

const LabInfo& SubdivideLab::info() const {
    static const LabInfo info{
        "subdivide",
        "Subdivision lab",
        "Builds the Delaunay triangulation by splitting space: a square is divided in four, each part keeps the points "
        "that matter there, until each Voronoi vertex is found alone.",
        "After K. Ishikawa and O. Yamamoto, On computation of Delaunay triangulation on CUDA using a simple data "
        "structure (Meijo University), with exact predicates, half-open cells so that every Voronoi vertex is found "
        "once, fans of cocircular points by rank, and a last pass for what lies outside the root.",
        {{"order",
          "Points are sorted by Hilbert index, and equal points are merged; all of them are candidates of one root "
          "square around them."},
         {"broadcast",
          "Candidates of one cell lie next to each other in the array; the first and the last broadcast where the cell "
          "begins and ends, and so the number of candidates."},
         {"solve",
          "Cells with few candidates leave the array with their Voronoi vertices; so do cocircular, too small and "
          "crowded ones."},
         {"split",
          "Every cell is split in four, and its candidates are copied into each quarter: where to follows from where "
          "the cell begins and how many they are."},
         {"leach",
          "A candidate is superfluous where another one is strictly closer at all corners of the cell, exactly."},
         {"pack", "A prefix sum closes the gaps that superfluous candidates leave in the array."},
         {"outside", "Voronoi vertices outside the root are found from the points that own places of its border."},
         {"join",
          "The triangles around all Voronoi vertices are linked along their common edges, and closed by ghosts."},
         {"edit",
          "A manual edit: a point was moved, added or removed, and the rounds so far were run on the present points."}},
        {{"cells", "cells of the array after the pass", true},
         {"candidates", "elements of the array after the pass: points, once for each cell that they can own a place in",
          true, true},
         {"copied", "elements written by the split"},
         {"removed", "superfluous candidates that were packed away"},
         {"left", "cells that left"},
         {"sequential",
          "those of them with more than 12 candidates, which are triangulated one after another on the CPU; in the "
          "pass outside, points at the border"},
         {"found", "triangles found, one for each Voronoi vertex", false, true}},
        {{"copies per point", "elements written by the split, for each point", ""},
         {"candidates per point", "elements of the array, for each point", ""},
         {"candidates per cell", "mean number of candidates of a cell", ""}},
        PointEditingLab::edits()};
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_subdivide_lab() { return std::make_unique<SubdivideLab>(); }

}  // namespace flipscope
