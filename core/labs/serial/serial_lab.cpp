// The Serial lab: inserts one point after another on the CPU, for comparison.
#include <utility>

#include "delaunay/constructions/serial.h"
#include "lab/lab.h"
#include "labs/point_editing_lab.h"

namespace flipscope {

const LabInfo& serial_lab_info();

namespace {

class SerialLab final : public PointEditingLab {
  public:
    const LabInfo& info() const override { return serial_lab_info(); }
    void parameters(ParameterVisitor& visitor) override;

  private:
    PointConstruction& engine() override { return insertion_; }
    void reset_engine(Context& context, std::shared_ptr<const Geometry> input) override {
        if (!context.on_cuda()) require_plane(*input);  // a message about the device comes first
        insertion_.reset(context, std::move(input), step_ == kFlip);
    }
    void restart_engine(std::shared_ptr<const Geometry> input) override {
        insertion_.reset(insertion_.context(), std::move(input), insertion_.by_flip());
    }
    void describe_edit(StepResult& result) const override {
        result.counters[SerialInsertion::kUninserted] = insertion_.waiting_count();
    }
    StepMessage message_of_round(const PassResult& round, uint32_t first) const override {
        StepMessage message = PointEditingLab::message_of_round(round, first);
        if (first <= SerialInsertion::kSeed) message.add(message_after(SerialInsertion::kSeed));
        return message;
    }
    StepMessage message_after(uint32_t pass) const override {
        if (pass == SerialInsertion::kOrder) return ordering_message(insertion_);
        if (pass == SerialInsertion::kSeed && !insertion_.path().empty()) return line_message(insertion_);
        return {};
    }

    enum { kPoint, kFlip };
    int step_ = kPoint;
    SerialInsertion insertion_;
};

void SerialLab::parameters(ParameterVisitor& visitor) {
    visitor.choice("step", "Legalise by", "What one step of the pass legalise does; the triangulation is the same.",
                   step_,
                   {{"point", "all flips that the new point makes necessary"},
                    {"flip", "one flip; the edges still in the worklist are marked"}});
}

}  // namespace

const LabInfo& serial_lab_info() {
    static const LabInfo info = [] {
        LabInfo made{
            "serial",
            "Serial construction",
            "Inserts one point after the other and restores the Delaunay property each time.",
            "Algorithms 2 and 3 of P. Drozd, Delaunay Triangulations on the GPU (Trinity College Dublin, 2025), with a "
            "biased randomized insertion order and walking point location, which make it O(n log n).",
            {{"order", "Points are sorted by Hilbert index, and equal points are merged."},
             {"seed", "Three points make the first triangle; the others are put in a biased random order."},
             {"insert",
              "The next point walks to the triangle that holds it, and splits it into three; outside the hull that is "
              "a ghost triangle, with a corner at infinity."},
             {"legalise", "Edges opposite to the new point flip until all are legal."},
             {"edit",
              "A manual edit: a point was moved, added or removed, and the same number of points was inserted again."}},
            {{"inserted", "points inserted by this pass", false, false, Quantity::kInsertedPoints},
             {"walked", "triangles visited on the walk to the point"},
             {"queued", "worklist edges tested; ghosts, to the vertex at infinity, included"},
             {"illegal", "edges that failed the in-circle test"},
             {"flipped", "edges flipped", false, false, Quantity::kFlips},
             {"uninserted", "points that still wait", true}}};
        made.edits = PointEditingLab::edits();
        made.on_cpu_only = true;
        return made;
    }();
    return info;
}

std::unique_ptr<Lab> make_serial_lab() { return std::make_unique<SerialLab>(); }

}  // namespace flipscope
