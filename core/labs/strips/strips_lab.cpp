// The Strips lab: points sorted into strips and zipped together, then edge flips, pass by pass.
#include <utility>

#include "compute/text.h"
#include "delaunay/constructions/strips.h"
#include "lab/lab.h"
#include "lab/vocabulary.h"
#include "labs/point_editing_lab.h"

namespace flipscope {

namespace {

class StripsLab final : public PointEditingLab {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    /// Chains are joined, and made Delaunay, as one mesh.
    Level editable_after() const override { return Level::kRound; }
    Scene scene() const override;

  private:
    PointConstruction& engine() override { return strips_; }
    void reset_engine(Context& context, std::shared_ptr<const Geometry> input) override {
        require_plane(*input);
        strips_.reset(context, std::move(input), options());
    }
    void restart_engine(std::shared_ptr<const Geometry> input) override {
        strips_.reset(strips_.context(), std::move(input), StripsOptions(strips_.options()));
    }
    void describe_order(uint32_t vertex, Properties& properties) const override;

    StripsOptions options() const {
        return {.strips = strips_wanted_, .block_size = static_cast<uint32_t>(block_size_)};
    }
    StepMessage message_after(uint32_t pass) const override {
        if (pass == Strips::kOrder) return ordering_message(strips_);
        return strips_.path().empty() ? StepMessage{} : line_message(strips_);
    }
    StepMessage message_of_round(const PassResult& round, uint32_t first) const override {
        StepMessage message = PointEditingLab::message_of_round(round, first);
        if (first == Strips::kOrder) message.add(message_after(Strips::kChain));
        return message;
    }

    double strips_wanted_ = 1;
    int block_size_ = 128;
    Strips strips_;
};

void StripsLab::describe_order(uint32_t vertex, Properties& properties) const {
    const PointStrips& made = strips_.strips();
    const uint32_t strip = made.strip_of.read(vertex), begin = made.begins.read(strip);
    properties.add("Strip", strip + 1, "of " + count_text(made.count, "strip", "strips") + ", from the left");
    properties.add("Place in its chain", vertex - begin + 1,
                   "of " + count_text(made.begins.read(strip + 1) - begin, "point", "points") + ", from below");
}

/// The states of constructions that occur in this lab.
std::vector<LegendEntry> legend() {
    using E = LegendEntry::Element;
    std::vector<LegendEntry> entries{{E::kEdge, kStateFresh, Role::kFresh, "new", "Made by this pass."}};
    for (LegendEntry& entry : construction_legend()) {
        const bool of_flips = entry.element == E::kEdge && entry.bit != kStateFresh && entry.bit != kStateCycling;
        if (of_flips || (entry.element == E::kTriangle && entry.bit == kStateFlipped))
            entries.push_back(std::move(entry));
    }
    return entries;
}

/// While chains are zipped, edges not made yet have no ends, and there are no triangles.
Scene StripsLab::scene() const {
    Scene scene = ConstructionLab::scene();
    Layer* edges = scene.layer("edges");
    const bool zipping = next_pass() == Strips::kZip || next_pass() == Strips::kClose;
    if (!edges) return scene;
    if (zipping) std::get<SegmentsLayer>(edges->shape).count = 3 * strips_.distinct() - 3;
    PolylinesLayer chains{&strips_.mesh().positions, strips_.distinct(), &strips_.strips().begins};
    chains.count = strips_.joined() || done() ? 0 : strips_.strips().count;
    Layer layer{"chains", "Chains", "The points of each strip, joined from below to above; until all are zipped", true,
                std::move(chains)};
    layer.role = Role::kChosen;
    scene.layers.insert(scene.layers.begin() + (edges - scene.layers.data()), std::move(layer));
    scene.set_legend(legend());
    return scene;
}

void StripsLab::parameters(ParameterVisitor& visitor) {
    visitor.number("strips", "Strips",
                   "The number of strips, in units of √n for n points. With more strips, triangles between chains are "
                   "taller than wide, with fewer, wider than tall; either way more edges must flip.",
                   strips_wanted_, 0, 1000);
    visit_block_size(visitor, block_size_);
}

const LabInfo& StripsLab::info() const {
    static const LabInfo info{
        "strips",
        "Strips lab",
        "Sorts points into vertical strips, joins each strip's points into a chain, zips neighbouring chains together, "
        "and flips edges until all are legal.",
        "Our own: a sort and a zip in place of point location and rounds of insertion, and then the parallel edge "
        "flips of C. A. Navarro, N. Hitschfeld-Kahler and E. Scheihing (2011) with exact predicates.",
        {{"order",
          "Points are sorted by x into strips of about as many points each, and each strip's points by y; equal points "
          "are merged."},
         {"chain",
          "The points of each strip are joined from below to above, and each point looks up how many points of the "
          "adjacent strips lie lower."},
         {"zip",
          "Neighbouring chains are zipped together: merged by y, each point makes a triangle with the last point of "
          "the other chain."},
         {"close",
          "The lowest and the highest points of the chains and the outer sides of the first and the last strip are "
          "triangulated, and ghosts to the vertex at infinity close the outline."},
         {"legalise",
          "Triangles are divided into blocks and regions that follow each other along the strips: one thread flips the "
          "edges inside of a block, then some threads those inside of a region, until all of these are legal."},
         {"claim",
          "Every edge of the worklist is tested; an illegal one claims both its triangles, and each triangle grants "
          "one claim."},
         {"flip",
          "Edges whose claims are granted on both sides flip, all at once; the others are deferred to the next pass."},
         {"repair", "Updates the edge–triangle incidence of edges that a flip moved to the other triangle."},
         {"edit",
          "A manual edit: a point was moved, added or removed, and the run was repeated on the present points up to "
          "the same place."}},
        {{"zipped", "triangles made between two chains"},
         {"closed", "triangles made at the outline, without ghosts"},
         {"queued",
          "worklist edges tested, because they may have become illegal; ghosts, to the vertex at infinity, included"},
         {"illegal", "edges that fail the in-circle test", false, true},
         {"granted", "illegal edges whose claims on both their triangles are granted, and which flip", false, false,
          Quantity::kGrantedFlips},
         {"deferred", "illegal edges that must wait for a later pass"},
         {"flipped", "edges flipped by this pass", false, true, Quantity::kFlips}},
        {},
        PointEditingLab::edits()};
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_strips_lab() { return std::make_unique<StripsLab>(); }

}  // namespace flipscope
