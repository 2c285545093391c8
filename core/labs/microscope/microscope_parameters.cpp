#include "labs/microscope/microscope_parameters.h"

#include <algorithm>

#include "compute/error.h"
#include "compute/text.h"
#include "geometry/places.h"
#include "lab/vocabulary.h"

namespace flipscope {

namespace {

constexpr int kMostSteps = 30000, kMostIndex = 1'000'000'000;

constexpr const char* kPointNames[4] = {"a", "b", "c", "d"};

bool is_typed(const ParameterContext& now) { return now.is("coordinates", "typed"); }
bool is_orientation(const ParameterContext& now) { return now.is("sign_of", "orientation"); }
size_t needed(const ParameterContext& now) { return is_orientation(now) ? 3 : 4; }
bool is_example(const ParameterContext& now) { return !is_typed(now) && now.input.points.size() < needed(now); }

const OverrideRule has_no_d = override_if(is_orientation, "The orientation is that of a, b and c alone.");

/// For orientation the example of the paper; for the in-circle determinant three corners of a square, with the fourth
/// point where their circle runs along the diagonal.
std::array<Point, 4> example_points(MapPredicate predicate) {
    if (predicate == MapPredicate::kOrientation) return {{{12, 12}, {24, 24}, {0.5, 0.5}, {}}};
    return {{{0.5, -23.5}, {24.5, -23.5}, {24.5, 0.5}, {0.5, 0.5}}};
}

}  // namespace

void visit_microscope_parameters(ParameterVisitor& visitor, MicroscopeParameters& p) {
    using Option = ParameterVisitor::Option;
    visitor.take_effect(EffectAt::kStep);
    visitor.choice("sign_of", "Sign of", "Which determinant's sign is shown.", p.predicate,
                   {{"orientation", "which way the points a, b, c turn: positive counter-clockwise, 0 on a line"},
                    {"in-circle", "where d lies: positive inside the circle of counter-clockwise a, b, c, 0 on it"},
                    {"circumcentre",
                     "the same, but floats and doubles compare the distance from the circumcentre with the radius"}});
    std::vector<Option> moving{{"last", "c of the orientation, d of the in-circle determinant"}};
    for (uint32_t k = 0; k < 3; ++k) moving.push_back({kPointNames[k], std::string("point ") + kPointNames[k]});
    visitor.choice("moves", "Moving point", "Which point runs over the patch, from number to number; the others stay.",
                   p.moves, moving);
    visitor.choice("numbers", "Numbers", "Which neighbouring numbers the pixels are.", p.numbers,
                   {{"double", "doubles in all views; floats are computed with them rounded to floats"},
                    {"float", "floats in all views"},
                    {"each", "floats in the view of floats, doubles in the other two"}});

    visitor.group("Points");
    visitor.choice("coordinates", "Coordinates", "Where the points come from.", p.coordinates,
                   {{"input", "points of the input by their index; where it has too few, an example"},
                    {"typed", "as typed here"}});
    for (uint32_t k = 0; k < 4; ++k) {
        const std::string name = kPointNames[k];
        visitor.integer(name, "Point " + name, "Index in the input, from 0, of point " + name + ".", p.index[k], 0,
                        kMostIndex);
        if (k == 3) visitor.overridden_by(has_no_d);
        visitor.overridden_by([k](const ParameterContext& now) {
            if (is_typed(now)) return Override{"Its coordinates are typed.", ""};
            if (!is_example(now)) return Override{};
            const MapPredicate predicate = is_orientation(now) ? MapPredicate::kOrientation : MapPredicate::kInCircle;
            return Override{"The input has fewer points than the determinant: an example is shown.",
                            place_text(example_points(predicate)[k])};
        });
    }
    for (uint32_t k = 0; k < 4; ++k)
        for (const bool y : {false, true}) {
            const std::string point = kPointNames[k], axis = y ? "y" : "x";
            visitor.number(point + "_" + axis, point + "." + axis,
                           "The " + axis + " of point " + point + ", world units; hexadecimal too, as 0x1.8p-1.",
                           y ? p.typed[k].y : p.typed[k].x, -kMaxCoordinate, kMaxCoordinate);
            if (k == 3) visitor.overridden_by(has_no_d);
            visitor.overridden_by(override_if([](const auto& now) { return !is_typed(now); },
                                              "Points come from the input unless coordinates=typed."));
        }

    visitor.group("Patch");
    visitor.choice("anchor", "Point lies", "Where in the patch the moving point itself lies.", p.anchor,
                   {{"auto", "in the corner of the example, as in its paper; else in the middle"},
                    {"middle", "in the middle"},
                    {"corner", "in the corner below left: the numbers from it on"}});
    visitor.integer("zoom_out", "Zoom out", "Neighbouring pixels are 2 to this power ulps apart.", p.zoom_out, 0, 52);
    visitor.integer("step_x", "Step in x",
                    "By how many pixels the patch is moved to the right: each an ulp, unless zoomed out.", p.step_x,
                    -kMostSteps, kMostSteps);
    visitor.integer("step_y", "Step in y", "By how many pixels the patch is moved upwards.", p.step_y, -kMostSteps,
                    kMostSteps);
    visitor.take_effect(EffectAt::kStart);
    const auto never = [](const ParameterContext&, const std::string&) { return Override{}; };
    visit_lattice_size(visitor, p.width, p.height, never);
    visit_block_size(visitor, p.block_size);
}

MicroscopeStart make_microscope_start(const MicroscopeParameters& p, const Geometry* input) {
    MicroscopeStart start;
    MovingPredicate& of = start.of;
    of.predicate = static_cast<MapPredicate>(p.predicate);
    const uint32_t count = of.point_count();
    const size_t given = input ? input->points.size() : 0;
    start.indices.fill(-1);
    if (p.coordinates == MicroscopeParameters::kTyped) {
        std::copy_n(p.typed, 4, of.points);
    } else if (given < count) {
        const auto points = example_points(of.predicate);
        std::copy_n(points.begin(), 4, of.points);
        start.is_example = true;
        if (given > 0)
            start.message = "The input has " + count_text(given, "point", "points") + ", and this determinant takes " +
                            std::to_string(count) + ": an example is shown.";
    } else {
        for (uint32_t k = 0; k < count; ++k) {
            const auto index = static_cast<size_t>(p.index[k]);
            if (index >= given)
                throw Error(std::string("parameter ") + kPointNames[k] + ": there is no point " +
                            std::to_string(index) + "; the input has points 0 to " + std::to_string(given - 1));
            start.indices[k] = p.index[k];
            of.points[k] = input->points[index];
        }
    }
    for (uint32_t k = 0; k < count; ++k)
        for (const double v : {of.points[k].x, of.points[k].y})
            if (!coordinate_in_range(v))
                throw Error(std::string("point ") + kPointNames[k] + ": expected coordinates that are 0 or between " +
                            "2^-200 and 2^200 in size, found " + format_exactly(v));
    of.moving = p.moves == 0 ? count - 1 : static_cast<uint32_t>(p.moves - 1);
    const bool corner =
        p.anchor == MicroscopeParameters::kCorner || (p.anchor == MicroscopeParameters::kAuto && start.is_example);
    for (uint32_t view = 0; view < kMicroscopeViews; ++view) {
        const bool floats =
            p.numbers == MicroscopeParameters::kFloats || (p.numbers == MicroscopeParameters::kEach && view == 0);
        start.patches[view] = patch_around(of.points[of.moving], floats ? NumberType::kFloat : NumberType::kDouble,
                                           static_cast<uint32_t>(p.width), static_cast<uint32_t>(p.height),
                                           (corner ? 0 : p.width / 2) - p.step_x,
                                           (corner ? 0 : p.height / 2) - p.step_y, int64_t(1) << p.zoom_out);
    }
    return start;
}

}  // namespace flipscope
