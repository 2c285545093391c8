#include "labs/hand.h"

#include "labs/registry.h"

namespace flipscope {

namespace {

const char* what_it_does_not(Edit::Kind kind) {
    switch (kind) {
        case Edit::Kind::kMoveVertex:
            return " moves no vertices by hand";
        case Edit::Kind::kFlipEdge:
            return " flips no edges by hand";
        case Edit::Kind::kAddVertex:
            return " adds no vertices by hand";
        case Edit::Kind::kRemoveVertex:
            return " removes no vertices by hand";
        case Edit::Kind::kPaint:
            return " paints no obstacles";
        case Edit::Kind::kWipe:
            return " wipes off no obstacles";
    }
    return " makes no changes of this kind by hand";
}

}  // namespace

std::string refusal_of(const LabInfo& lab, Edit::Kind kind) {
    std::string others;
    size_t count = 0;
    for (const RegistryEntry& entry : registry()) {
        const auto other = entry.make();
        if (!takes_edit(*other, kind)) continue;
        others += (count++ ? " and the " : "; the ") + other->info().title;
    }
    return "The " + lab.title + what_it_does_not(kind) + others +
           (count == 0   ? ""
            : count == 1 ? " does"
                         : " do") +
           ".";
}

}  // namespace flipscope
