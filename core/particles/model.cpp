#include "particles/model.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "compute/buffer.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/random.h"
#include "compute/suggest.h"
#include "compute/text.h"
#include "delaunay/constructions/order.h"
#include "delaunay/torus/wrap_points.h"
#include "geometry/places.h"
#include "particles/walls.h"

namespace flipscope {

namespace {

constexpr double kFarthest = 0x1p40;  // sides: farther places have too little precision within the box

/// The purpose of a random number at the start; each purpose has its own numbers, independent of those of the steps.
enum class Draw : uint64_t { kSite = 1, kSpecies, kOrientation, kSize };

double draw(const ParticleModel& model, Draw draw, uint64_t index) {
    constexpr uint64_t kStart = 0x7061727469636C65;  // a key that steps do not use
    return random_pair(model.seed ^ kStart, static_cast<uint64_t>(draw) << 56 | index).first;
}
/// An integer below `limit`, from draw().
uint64_t draw_below(const ParticleModel& model, Draw what, uint64_t index, uint64_t limit) {
    return std::min(static_cast<uint64_t>(draw(model, what, index) * static_cast<double>(limit)), limit - 1);
}

struct NamedModel {
    const char* name;
    Species first, second;
    double density;
};
// Table 1: φ, α, μ of both species, and the area fraction.
constexpr NamedModel kTable[] = {
    {"c0", {0.7, 1, 1}, {0.3, 1, -1}, 0.79},    {"c1", {0.5, 1, 1}, {0.5, 1, -1}, 0.52},
    {"c2", {0.5, 1, 1}, {0.5, -1, -2}, 0.52},   {"c3", {0.5, -1, 1}, {0.5, 1, -2}, 0.79},
    {"c4", {0.5, 1, 1}, {0.5, -1, -4}, 0.0873},
};

ParticleModel active_model(double density) {
    ParticleModel model;
    model.count = 10000;
    model.density = density;
    model.force = ForceLaw::kNone;
    model.diffusion = 0;
    model.rotation = 0.01;
    // Not given in the paper: with these the direction persists for 100 diameters of path, and a step is a hundredth of
    // one.
    model.speed = 1;
    model.dt = 0.01;
    return model;
}

void require(bool allowed, const std::string& what, double value, const char* expected) {
    if (!allowed) throw Error(what + " " + format_plainly(value) + ": expected " + expected);
}

/// A triangular lattice that closes on a torus: row j is shifted by j · turns / rows columns. With an even number of
/// rows this is half a column per row, as in the plane; with an odd one slightly less.
struct TorusLattice {
    uint64_t columns = 1, rows = 1;
    double width = 1, height = 1;  // of the torus, in longer sides
    double nearest = 0;            // distance of neighbouring sites, in longer sides

    uint64_t turns() const { return rows / 2; }
    /// Its place, in sides.
    Point site(uint64_t index) const {
        const uint64_t row = index / columns, column = index % columns;
        const auto shift = static_cast<double>(row * turns() % rows) / static_cast<double>(rows);
        return {(static_cast<double>(column) + shift + 0.25) / static_cast<double>(columns),
                (static_cast<double>(row) + 0.5) / static_cast<double>(rows)};
    }
    /// The length of the shortest vector of the lattice that contains the images of a site (Lagrange's reduction).
    double shortest_vector() const {
        const auto nx = static_cast<double>(columns), ny = static_cast<double>(rows);
        Point a{width / nx, 0}, b{static_cast<double>(turns()) / ny / nx * width, height / ny};
        const auto squared = [](Point p) { return p.x * p.x + p.y * p.y; };
        for (;;) {
            if (squared(b) < squared(a)) std::swap(a, b);
            const double times = (a.x * b.x + a.y * b.y) / squared(a);
            if (std::abs(times) <= 0.5 + 1e-9) return std::sqrt(squared(a));
            const double whole = std::round(times);
            b = {b.x - whole * a.x, b.y - whole * a.y};
        }
    }
};

/// Among the lattices with at least `count` sites and no surplus row, the one with the largest spacing.
TorusLattice best_lattice(const TorusBox& box, uint32_t count) {
    TorusLattice best;
    const auto most_rows = static_cast<uint64_t>(2 * std::sqrt(count * (box.sides.y / box.sides.x))) + 2;
    for (uint64_t rows = 1; rows <= most_rows; ++rows) {
        TorusLattice lattice{(count + rows - 1) / rows, rows, box.sides.x / box.longer(), box.sides.y / box.longer()};
        lattice.nearest = lattice.shortest_vector();
        if (lattice.nearest > best.nearest) best = lattice;
    }
    return best;
}

/// Rows along a channel, each shifted by half a column against the next, with the outer ones at its walls.
struct ChannelLattice {
    uint64_t columns = 1, rows = 1;
    double length = 1;         // of the channel, world units
    double low = 0, step = 0;  // place of the first row, and distance of rows
    double nearest = 0;        // distance of neighbouring sites

    /// Along the channel and across it.
    Point site(uint64_t index) const {
        const uint64_t row = index / columns, column = index % columns;
        const double shift = row % 2 ? 0.75 : 0.25;
        return {(static_cast<double>(column) + shift) / static_cast<double>(columns) * length,
                low + static_cast<double>(row) * step};
    }
};

/// Among those with at least `count` sites and no surplus row, the one with the largest spacing.
ChannelLattice best_lattice_in_channel(const TorusBox& box, uint32_t count, double diameter) {
    const double length = box.open == OpenAxis::kX ? box.sides.y : box.sides.x, room = box.extent - diameter;
    ChannelLattice best;
    const auto most_rows = static_cast<uint64_t>(2 * std::sqrt(count * (box.extent / length))) + 2;
    for (uint64_t rows = 1; rows <= most_rows; ++rows) {
        ChannelLattice lattice{(count + rows - 1) / rows, rows, length, rows > 1 ? diameter / 2 : box.extent / 2};
        lattice.nearest = length / static_cast<double>(lattice.columns);
        if (rows > 1) {
            lattice.step = std::max(0.0, room / static_cast<double>(rows - 1));
            const double half = lattice.nearest / 2;
            lattice.nearest = std::min(lattice.nearest, std::sqrt(half * half + lattice.step * lattice.step));
            if (rows > 2) lattice.nearest = std::min(lattice.nearest, 2 * lattice.step);
        }
        if (lattice.nearest > best.nearest) best = lattice;
    }
    return best;
}

/// Wraps `place` into the box and rounds it to the grid; does not wrap along an axis with walls.
Point wrap(const TorusBox& box, Point place) {
    return box.wrapped(box.on_grid(Point{std::fmod(place.x, box.sides.x), std::fmod(place.y, box.sides.y)}));
}

/// `count` of the lattice's sites, all subsets equally likely, in increasing order except replaced ones: J. S. Vitter,
/// Random sampling with a reservoir (1985), algorithm R.
std::vector<uint64_t> sample_sites(const ParticleModel& model, uint64_t sites, uint32_t count) {
    CancelPoll poll;
    std::vector<uint64_t> reservoir(count);
    std::iota(reservoir.begin(), reservoir.end(), uint64_t{0});
    for (uint64_t site = count; site < sites; ++site) {
        poll();
        const uint64_t place = draw_below(model, Draw::kSite, site, site + 1);
        if (place < count) reservoir[place] = site;
    }
    return reservoir;
}

/// The places in the order of a Hilbert curve.
std::vector<Point> along_curve(const std::vector<Point>& places) {
    Context context(DeviceRequest::kCpu, 1);
    Buffer<Point> ordered("places along the curve");
    Buffer<uint32_t> inputs("their order");
    const View<const Point> given{places.data(), places.size()};
    return ordered.download(order_points(context, given, 0, ordered, inputs).count);  // all of them: no two are equal
}

/// Species and orientations for all places.
void draw_the_rest(const ParticleModel& model, ParticleStart& start) {
    CancelPoll poll;
    const auto count = static_cast<uint32_t>(start.positions.size());
    const std::vector<uint32_t> counts = species_counts(model, count);
    for (size_t s = 0; s < counts.size(); ++s)
        start.species.insert(start.species.end(), counts[s], static_cast<uint8_t>(s));
    for (uint64_t i = count; i > 1; --i) {
        poll();
        std::swap(start.species[i - 1], start.species[draw_below(model, Draw::kSpecies, i, i)]);
    }
    if (model.spread > 0 && start.sizes.empty()) {
        for (uint64_t k = 0; k < count; ++k)
            start.sizes.push_back(1 - model.spread + (2 * double(k) + 1) / double(count) * model.spread);
        for (uint64_t i = count; i > 1; --i)
            std::swap(start.sizes[i - 1], start.sizes[draw_below(model, Draw::kSize, i, i)]);
    }
    start.orientations.reserve(count);
    for (uint64_t i = 0; i < count; ++i) start.orientations.push_back(orientation_at_first(model, i));
}

/// Moves discs that overlap a wall to touch it.
void put_between_walls(const ParticleModel& model, ParticleStart& start) {
    if (!start.box.is_cylinder()) return;
    const std::vector<double> diameters = diameters_of(model, start);
    const Walls walls = Walls::of(start.box, {{diameters.data(), diameters.size()}});
    for (uint32_t i = 0; i < start.positions.size(); ++i) start.positions[i] = walls.between(i, start.positions[i]);
}

/// For discs at given places: pushes cannot resolve overlaps if the box is too full.
void require_room(const ParticleModel& model, const ParticleStart& start, const std::string& where) {
    const double area = start.sizes.empty() ? area_of_discs(model, static_cast<uint32_t>(start.species.size()))
                                            : area_of_discs(diameters_of(model, start));
    const TorusBox& box = start.box;
    const double share = area / box.area(), larger = std::sqrt(area / kClosestPacking / box.area());
    if (!model.overlaps || share <= kClosestPacking * (1 + 1e-9)) return;
    if (box.is_cylinder())
        throw Error(where + count_text(start.species.size(), "disc", "discs") + " would cover " + format_short(share) +
                    " of " + box_in_words(box) +
                    ", and walls leave room for less than 0.9069; set walls and box=WIDTHxHEIGHT for a larger channel, "
                    "or take smaller discs");
    const auto at_least = [&](double side) { return format_short(std::ceil(side * larger * 1e3) / 1e3); };
    throw Error(where + count_text(start.species.size(), "disc", "discs") + " would cover " + format_short(share) +
                " of " + box_in_words(box) +
                ": expected at most 0.9069, where discs are packed most closely; take a box of at least " +
                (box.is_square() ? std::string() : at_least(box.lengths().x) + " by ") + at_least(box.lengths().y) +
                ", or smaller discs");
}

/// `density`: covered part of the box; `nearest`: distance of sites in the best lattice.
void require_fits(const ParticleModel& model, uint32_t count, const TorusBox& box, double density, double nearest) {
    if (model.repulsion != RepulsionKind::kNone && !model.overlaps) return;
    // Spread discs may overlap at the start: pushes then move them apart.
    const double largest = largest_diameter(model) / (1 + model.spread);
    if (nearest >= largest * kTouching) return;
    const double fits = density * (nearest / largest) * (nearest / largest);
    const std::string discs = "density " + format_plainly(density) + ": " + count_text(count, "disc", "discs") +
                              " of diameter " + format_plainly(largest) + " would overlap in ";
    if (box.is_cylinder())
        throw Error(discs + box_in_words(box) + ", where rows between the walls have sites " + format_short(nearest) +
                    " apart; take a lower density, or a larger channel by box=WIDTHxHEIGHT");
    throw Error(discs + (box.is_square() ? "a square box of " + box_text(box.sides) : box_in_words(box)) +
                ", where sites of a triangular lattice are " + format_short(nearest) +
                " apart; for so many it can be " + format_short(std::floor(fits * 1e4) / 1e4) + " at most");
}

/// The box with these sides and walls; if both sides are 0, the square with the model's area fraction.
TorusBox box_of(const ParticleModel& model, uint32_t count, Point sides, OpenAxis walls, const std::string& where) {
    if (sides.x == 0 && sides.y == 0) sides.x = sides.y = side_of_box(model, count);
    if (walls == OpenAxis::kNone) {
        require_box(where, sides);
        return TorusBox::of(sides);
    }
    const double length = walls == OpenAxis::kX ? sides.y : sides.x, height = walls == OpenAxis::kX ? sides.x : sides.y;
    for (const double side : {length, height}) require_box(where, {side, side});
    if (2 * height > kMostAspect * length)
        throw Error((where.empty() ? "" : where + ": ") + "walls " + format_exactly(height) +
                    " apart are too far for a channel " + format_exactly(length) + " long; they can be " +
                    format_exactly(kMostAspect / 2) + " times its length apart at most");
    const TorusBox box = TorusBox::of_cylinder(length, height, walls);
    return box;
}

std::string place_with_index(const std::vector<Point>& places, size_t index) {
    return std::to_string(index) + " (" + place_text(places[index]) + ")";
}

/// Throws Error for the first coincident pair.
void require_distinct(const std::vector<Point>& positions, const std::vector<Point>& given, const std::string& name) {
    std::vector<uint32_t> order(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_or_cancel(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        const Point p = positions[a], q = positions[b];
        return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : a < b;
    });
    size_t first = kNone, second = kNone;
    for (size_t i = 1; i < order.size(); ++i)
        if (positions[order[i - 1]] == positions[order[i]] && order[i - 1] < first) {
            first = order[i - 1];
            second = order[i];
        }
    if (first == kNone) return;
    throw Error(name + "points " + place_with_index(given, first) + " and " + place_with_index(given, second) +
                " are at one place of the periodic box: move or remove one of them");
}

}  // namespace

ParticleModel named_model(const std::string& name) {
    for (const NamedModel& row : kTable) {
        if (name != row.name) continue;
        ParticleModel model;
        model.species = {row.first, row.second};
        model.count = 4096;
        model.density = row.density;
        return model;
    }
    if (name == "abp-dense") return active_model(0.7);
    if (name == "abp-dilute") return active_model(0.4);
    throw Error("unknown configuration " + excerpt(name) + suggestion(name, model_names()));
}

std::vector<std::string> model_names() {
    std::vector<std::string> names;
    for (const NamedModel& row : kTable) names.emplace_back(row.name);
    names.emplace_back("abp-dense");
    names.emplace_back("abp-dilute");
    return names;
}

void check_model(const ParticleModel& model) {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (model.species.empty() || model.species.size() > kMostSpecies)
        throw Error(count_text(model.species.size(), "species", "species") + ": expected 1 to " +
                    std::to_string(kMostSpecies));
    double fractions = 0, smallest = INFINITY;
    for (size_t s = 0; s < model.species.size(); ++s) {
        const Species& each = model.species[s];
        const std::string which = "species " + std::to_string(s + 1) + ": ";
        require(finite(each.fraction) && each.fraction >= 0 && each.fraction <= 1e9, which + "fraction", each.fraction,
                "a share of all particles, 0 or more");
        require(finite(each.alpha), which + "alpha", each.alpha, "a finite number");
        require(finite(each.mu), which + "mu", each.mu, "a finite number");
        require(each.diameter >= 1e-6 && each.diameter <= 1e6, which + "diameter", each.diameter,
                "1e-6 to 1e6 world units");
        fractions += each.fraction;
        smallest = std::min(smallest, each.diameter);
    }
    if (!(fractions > 0)) throw Error("all species have the fraction 0: expected one above 0");
    require(model.spread >= 0 && model.spread <= 0.9, "radius_spread", model.spread, "a share of the radius, 0 to 0.9");
    check_diameters(model, smallest * (1 - model.spread), largest_diameter(model));
    if (model.count > kMostParticles)
        throw Error("count " + std::to_string(model.count) + ": expected at most " + std::to_string(kMostParticles));
    if (!(model.density > 0 && model.density <= kClosestPacking))
        throw Error("density " + format_plainly(model.density) +
                    ": expected an area fraction above 0 and at most 0.9069, where discs are packed most closely");
    require(model.force != ForceLaw::kShortRange || (finite(model.cutoff) && model.cutoff > 0), "cutoff", model.cutoff,
            "a length above 0");
    require(finite(model.skin) && model.skin >= 0, "skin", model.skin, "a length, 0 or more");
    require(finite(model.repulsion_strength) && model.repulsion_strength >= 0, "repulsion_strength",
            model.repulsion_strength, "a number, 0 or more");
    require(finite(model.shear_rate), "shear_rate", model.shear_rate, "a finite number");
    require(finite(model.dt) && model.dt > 0, "dt", model.dt, "a time above 0");
    require(finite(model.diffusion) && model.diffusion >= 0, "diffusion", model.diffusion, "a number, 0 or more");
    require(finite(model.speed) && model.speed >= 0, "speed", model.speed, "a number, 0 or more");
    require(finite(model.rotation) && model.rotation >= 0, "rotation", model.rotation, "a number, 0 or more");
    require(model.delta > 0 && model.delta <= 1, "delta", model.delta, "a share of the overlap above 0, up to 1");
    require(model.cap > 0 && model.cap <= 0.5, "cap", model.cap, "a share of the diameter above 0, up to 0.5");
}

void check_diameters(const ParticleModel& model, double smallest, double largest) {
    const double ratio = largest / smallest;
    if (!model.overlaps || !(ratio > kMostDiameterRatio)) return;
    throw Error("diameters from " + format_plainly(smallest) + " to " + format_plainly(largest) + ", in a ratio of " +
                format_short(ratio) + ": expected at most " + format_plainly(kMostDiameterRatio) +
                ", or overlaps could hide from the edges of the triangulation; overlaps=off, or a soft repulsion, "
                "allows larger ratios");
}

void require_fits_between_walls(double largest, const TorusBox& box) {
    if (!box.is_cylinder() || largest <= box.extent) return;
    throw Error("discs of diameter " + format_plainly(largest) + " do not fit between walls that are " +
                format_short(box.extent) + " apart; take smaller discs or a " +
                (box.open == OpenAxis::kX ? "wider" : "higher") + " channel");
}

std::string box_in_words(const TorusBox& box) {
    if (!box.is_cylinder()) return "a box of " + box_text(box.sides);
    const bool along_y = box.open == OpenAxis::kX;
    return "a channel " + format_short(along_y ? box.sides.y : box.sides.x) + " long and " + format_short(box.extent) +
           (along_y ? " wide, periodic along y" : " high, periodic along x");
}

SpeciesTable table_of(const ParticleModel& model) {
    SpeciesTable table;
    for (size_t s = 0; s < model.species.size() && s < kMostSpecies; ++s) {
        table.alpha[s] = model.species[s].alpha;
        table.mu[s] = model.species[s].mu;
        table.diameter[s] = model.species[s].diameter;
    }
    return table;
}

double largest_diameter(const ParticleModel& model) {
    double largest = 0;
    for (const Species& each : model.species) largest = std::max(largest, each.diameter);
    return largest * (1 + model.spread);
}

std::vector<uint32_t> species_counts(const ParticleModel& model, uint32_t count) {
    double fractions = 0;
    for (const Species& each : model.species) fractions += each.fraction;
    std::vector<uint32_t> counts;
    std::vector<double> remainders;
    uint32_t sum = 0;
    for (const Species& each : model.species) {
        const double quota = each.fraction / fractions * count;
        counts.push_back(std::min(static_cast<uint32_t>(quota), count - sum));
        remainders.push_back(quota - counts.back());
        sum += counts.back();
    }
    for (; sum < count; ++sum) {
        const auto next = std::max_element(remainders.begin(), remainders.end()) - remainders.begin();
        ++counts[static_cast<size_t>(next)];
        remainders[static_cast<size_t>(next)] -= 1;
    }
    return counts;
}

double area_of_discs(const ParticleModel& model, uint32_t count) {
    const std::vector<uint32_t> counts = species_counts(model, count);
    double area = 0;
    for (size_t s = 0; s < counts.size(); ++s)
        area += counts[s] * (std::numbers::pi / 4) * model.species[s].diameter * model.species[s].diameter;
    if (model.spread > 0)  // the mean of the squares of all sizes
        area *= 1 + model.spread * model.spread / 3 * (1 - 1 / (double(count) * count));
    return area;
}

double area_of_discs(const std::vector<double>& diameters) {
    double area = 0;
    for (const double diameter : diameters) area += std::numbers::pi / 4 * diameter * diameter;
    return area;
}

std::vector<double> diameters_of(const ParticleModel& model, const ParticleStart& start) {
    std::vector<double> diameters;
    for (size_t i = 0; i < start.species.size(); ++i)
        diameters.push_back(model.species[start.species[i]].diameter * (start.sizes.empty() ? 1 : start.sizes[i]));
    return diameters;
}

double side_of_box(const ParticleModel& model, uint32_t count) {
    return count == 0 ? 1 : std::sqrt(area_of_discs(model, count) / model.density);
}

double orientation_at_first(const ParticleModel& model, uint64_t id) {
    return draw(model, Draw::kOrientation, id) * (2 * std::numbers::pi);
}

ParticleStart make_start(const ParticleModel& model, Point sides, OpenAxis walls) {
    check_model(model);
    ParticleStart start;
    start.box = box_of(model, model.count, sides, walls, "");
    require_fits_between_walls(largest_diameter(model), start.box);
    const TorusBox& box = start.box;
    if (model.count == 0) return start;
    const bool is_chosen = sides.x != 0 || sides.y != 0;
    std::vector<Point> places;
    places.reserve(model.count);
    CancelPoll poll;
    /// `place_of(site)`: in the box, world units; `unit`: unit of the lattice's lengths.
    const auto sample = [&](const auto& lattice, double unit, const auto& place_of) {
        require_fits(model, model.count, box,
                     is_chosen ? area_of_discs(model, model.count) / box.area() : model.density,
                     lattice.nearest * unit);
        for (const uint64_t index : sample_sites(model, lattice.columns * lattice.rows, model.count)) {
            poll();
            places.push_back(wrap(box, place_of(lattice.site(index))));
        }
    };
    if (box.is_cylinder())
        sample(best_lattice_in_channel(box, model.count, largest_diameter(model)), 1, [&](Point site) {
            return box.open == OpenAxis::kX ? Point{site.y, site.x} : site;
        });
    else
        sample(best_lattice(box, model.count), box.longer(), [&](Point site) {
            return Point{site.x * box.sides.x, site.y * box.sides.y};
        });
    start.positions = along_curve(std::move(places));
    draw_the_rest(model, start);
    put_between_walls(model, start);
    return start;
}

ParticleStart make_start(const ParticleModel& model, const std::vector<Point>& places, Point sides,
                         const std::string& name, OpenAxis walls, Point low, const std::vector<double>& diameters) {
    check_model(model);
    const std::string where = name.empty() ? "" : name + ": ";
    if (places.size() > kMostParticles)
        throw Error(where + count_text(places.size(), "point", "points") + ": expected at most " +
                    std::to_string(kMostParticles));
    ParticleStart start;
    start.box = box_of(model, static_cast<uint32_t>(places.size()), sides, walls, name);
    if (diameters.empty()) {
        require_fits_between_walls(largest_diameter(model), start.box);
    } else {
        const auto [least, greatest] = std::minmax_element(diameters.begin(), diameters.end());
        check_diameters(model, *least, *greatest);
        require_fits_between_walls(*greatest, start.box);
    }
    start.positions.reserve(places.size());
    CancelPoll poll;
    for (size_t i = 0; i < places.size(); ++i) {
        poll();
        const Point p{places[i].x - low.x, places[i].y - low.y};
        if (!std::isfinite(p.x) || !std::isfinite(p.y))
            throw Error(where + "point " + place_with_index(places, i) + ": expected two finite numbers");
        if (std::abs(p.x) > kFarthest * start.box.sides.x || std::abs(p.y) > kFarthest * start.box.sides.y)
            throw Error(
                where + "point " + place_with_index(places, i) + " is too far away for an exact place in " +
                (start.box.is_cylinder() ? box_in_words(start.box) : "a periodic box of " + box_text(start.box.sides)));
        const double rounding = 4 * start.box.grid;
        if (start.box.is_cylinder() && !(distance_to_wall(start.box, p) >= -rounding)) {
            const double wall = across_channel(start.box, low);
            throw Error(where + "point " + place_with_index(places, i) + " lies beyond the walls of the channel, at " +
                        (walls == OpenAxis::kX ? "x" : "y") + " = " + format_short(wall) + " and " +
                        format_short(wall + start.box.extent) + ": move it, or take a " +
                        (walls == OpenAxis::kX ? "wider" : "higher") + " box");
        }
        start.positions.push_back(wrap(start.box, p));
    }
    start.sizes = diameters;
    draw_the_rest(model, start);
    for (size_t i = 0; i < diameters.size(); ++i) start.sizes[i] /= model.species[start.species[i]].diameter;
    if (std::all_of(start.sizes.begin(), start.sizes.end(), [](double size) { return size == 1; })) start.sizes.clear();
    put_between_walls(model, start);
    require_distinct(start.positions, places, where);
    require_room(model, start, where);
    return start;
}

}  // namespace flipscope
