#include "labs/hand.h"

#include <vector>

#include "labs/registry.h"

namespace flipscope {

namespace {

const char* what_it_does_not(Edit::Kind kind) {
    switch (kind) {
        case Edit::Kind::kMoveVertex:
            return " moves no vertices manually";
        case Edit::Kind::kFlipEdge:
            return " flips no edges manually";
        case Edit::Kind::kAddVertex:
            return " adds no vertices manually";
        case Edit::Kind::kRemoveVertex:
            return " removes no vertices manually";
        case Edit::Kind::kPaint:
            return " paints no obstacles";
        case Edit::Kind::kWipe:
            return " wipes off no obstacles";
    }
    return " makes no changes of this kind manually";
}

}  // namespace

std::string refusal_of(const LabInfo& lab, Edit::Kind kind) {
    std::vector<std::string> others;
    for (const RegistryEntry& other : registry())
        if (other.takes(kind)) others.push_back("the " + other.info().title);
    std::string text = "The " + lab.title + what_it_does_not(kind);
    for (size_t i = 0; i < others.size(); ++i)
        text += (i == 0 ? "; " : i + 1 < others.size() ? ", " : " and ") + others[i];
    return text + (others.empty() ? "." : others.size() == 1 ? " does." : " do.");
}

}  // namespace flipscope
