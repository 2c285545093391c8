#include "lab/vocabulary.h"

#include <algorithm>
#include <iterator>

#include "geometry/places.h"
#include "particles/model.h"

namespace flipscope {

void visit_either(ParameterVisitor& visitor, const std::string& name, const std::string& title,
                  const std::string& sentence, bool& value, const std::vector<ParameterVisitor::Option>& options) {
    visitor.choice(name, title, sentence, value, options, [&value](int chosen) { value = chosen != 0; });
}

void visit_lattice_size(ParameterVisitor& visitor, int& width, int& height, SideOverrideRule rule) {
    const auto side_of = [](uint32_t pixels) { return pixels > 0 ? std::to_string(pixels) : std::string(); };
    visitor.integer("width", "Width", "Pixels of the lattice from left to right.", width, 16, 16384);
    visitor.overridden_by([=](const ParameterContext& now) { return rule(now, side_of(now.width)); });
    visitor.integer("height", "Height", "Pixels of the lattice from bottom to top.", height, 16, 16384);
    visitor.overridden_by([=](const ParameterContext& now) { return rule(now, side_of(now.height)); });
}

static constexpr PeriodicAxes kBorders[] = {false, true, {true, false}, {false, true}};
static constexpr const char* kBorderNames[] = {"open", "periodic", "periodic_x", "periodic_y"};

static int index_of_borders(PeriodicAxes periodic) {
    return static_cast<int>(std::find(std::begin(kBorders), std::end(kBorders), periodic) - std::begin(kBorders));
}

const char* name_of_borders(PeriodicAxes periodic) { return kBorderNames[index_of_borders(periodic)]; }

void visit_borders(ParameterVisitor& visitor, const std::string& name, const std::string& title,
                   const std::string& sentence, PeriodicAxes& periodic) {
    visitor.choice(name, title, sentence, index_of_borders(periodic),
                   {{kBorderNames[0], "the lattice ends at its borders"},
                    {kBorderNames[1], "both axes are periodic: the lattice is a torus"},
                    {kBorderNames[2], "x is periodic and y is open: the lattice is a cylinder"},
                    {kBorderNames[3], "y is periodic and x is open: the lattice is a cylinder"}},
                   [&periodic](int chosen) { periodic = kBorders[chosen]; });
}

void visit_count(ParameterVisitor& visitor, const std::string& title, const std::string& more, int& count, int least,
                 int most) {
    visitor.integer("count", title, "How many the lab generates if its input has none." + more, count, least, most);
}

void visit_box(ParameterVisitor& visitor, const std::string& more, Point& sides, double most) {
    visitor.size("box", "Size of the box",
                 "How wide and high the periodic box is, world units: 30, or 30x12 for a rectangle. " + more, sides, 0,
                 most);
    visitor.or_word("auto");
}

void add_box(Properties& numbers, const TorusBox& box) {
    const auto add = [&](const char* name, double length, const char* sentence) {
        numbers.add(name, Value::exactly(length, "world units"), sentence);
    };
    const Point lengths = box.lengths();
    if (box.is_square()) add("box", box.sides.x, "the side of the periodic box");
    if (box.is_cylinder())
        add("circumference", box.open == OpenAxis::kX ? lengths.y : lengths.x,
            "the side along which the box is periodic");
    add("box_width", lengths.x,
        box.open == OpenAxis::kX ? "how far the points reach along x, where the box is open"
                                 : "the width of the periodic box");
    add("box_height", lengths.y,
        box.open == OpenAxis::kY ? "how far the points reach along y, where the box is open"
                                 : "the height of the periodic box");
}

void visit_seed(ParameterVisitor& visitor, const std::string& title, int& seed) {
    visitor.integer("seed", title, "The same seed gives the same random numbers, on every device.", seed, 0, 1000000);
}

void visit_obstacle_count(ParameterVisitor& visitor, int& count, int most) {
    visitor.integer("obstacle_count", "Number of obstacles", "How many posts or walls there are.", count, 0, most);
}

void visit_colouring_method(ParameterVisitor& visitor, int& method) {
    visitor.choice(
        "method", "Colouring", "How every pixel finds its nearest site.", method,
        {{"exact", "tiles of pixels share a short list of sites: the same colours as every-site, much faster"},
         {"every-site", "one thread per pixel compares all sites: the paper's method"},
         {"jump-flooding",
          "pixels ask pixels at ever shorter distances: the time hardly depends on the number of sites, and a few "
          "pixels get a wrong colour"}});
}

void visit_conflict_rule(ParameterVisitor& visitor, int& rule, const std::string& side) {
    const std::string on_side = side.empty() ? "" : ", on the " + side;
    visitor.choice(
        side.empty() ? "conflict" : "conflict_" + side, side.empty() ? "Conflicts go to" : "Conflicts, " + side,
        "Which of two illegal edges is granted the triangle that both need" + on_side + ".", rule,
        {{"lowest",
          "the lowest edge id: repeatable; where ids run along the mesh, each edge waits for the one before it"},
         {"hashed", "the lowest hashed edge id: repeatable, and few edges wait long"},
         {"first", "the first claim: the paper's rule; steps then differ from run to run"}});
}

void visit_block_size(ParameterVisitor& visitor, int& threads) {
    visitor.group("Device");
    visitor.integer("block_size", "CUDA block size",
                    "Threads per block on CUDA (32 to 1024, rounded down to a multiple of 32).", threads, 32, 1024);
}

/// "50 % of α = 1, μ = 1, 50 % of α = 1, μ = -1; area fraction 0.52".
static std::string text_of(const ParticleModel& model) {
    std::string text;
    for (const Species& one : model.species)
        if (model.force != ForceLaw::kNone)
            text += (text.empty() ? "" : ", ") + format_plainly(100 * one.fraction) +
                    " % of \xCE\xB1 = " + format_plainly(one.alpha) + ", \xCE\xBC = " + format_plainly(one.mu);
    if (model.speed > 0) text = "active Brownian particles";
    return text + "; area fraction " + format_plainly(model.density);
}

std::vector<ParameterVisitor::Option> particle_configurations() {
    std::vector<ParameterVisitor::Option> options;
    for (const std::string& name : model_names()) options.push_back({name, text_of(named_model(name))});
    return options;
}

void visit_repulsion(ParameterVisitor& visitor, int& kind, double& strength) {
    visitor.choice(
        "soft_repulsion", "Soft repulsion",
        "A force along each pair whose radii add up to \xCF\x83, at a distance r, on both ends alike, in "
        "addition to the other force. Velocities are forces. Soft discs overlap, so overlaps are not "
        "resolved with one.",
        kind,
        {{"none", "none"},
         {"wca",
          "24\xCE\xB5 (2(\xCF\x83/r)\xC2\xB9\xC2\xB2 \xE2\x88\x92 (\xCF\x83/r)\xE2\x81\xB6)/r up to 2^(1/6) \xCF\x83, "
          "after Weeks, Chandler and Andersen"},
         {"harmonic", "\xCE\xB5/\xCF\x83 (1 \xE2\x88\x92 r/\xCF\x83) up to \xCF\x83"}});
    visitor.number("repulsion_strength", "Strength \xCE\xB5",
                   "Of the soft repulsion: an energy times the mobility, world units squared per time. A harmonic "
                   "pair relaxes at the rate 2\xCE\xB5/\xCF\x83\xC2\xB2; WCA is far steeper and needs a smaller "
                   "\xCE\x94t.",
                   strength, 0, 1e6);
    visitor.overridden_by(override_if([](const ParameterContext& now) { return now.is("soft_repulsion", "none"); },
                                      "There is no soft repulsion."));
}

}  // namespace flipscope
