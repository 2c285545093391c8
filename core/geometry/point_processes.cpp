#include "geometry/point_processes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/portable_math.h"
#include "compute/text.h"
#include "geometry/point_patterns.h"

namespace flipscope {
namespace {

constexpr double kAutomatic = std::numeric_limits<double>::quiet_NaN();
constexpr uint64_t kMostPoints = 100'000'000;
constexpr uint64_t kMostHardCorePoints = 20'000'000;  // up to 110 bytes each while they are made
constexpr double kMostCovered = 0.9;                  // of the square by discs of the hard-core radius

double square_of(double v) { return v * v; }

/// v modulo 1, in [0, 1).
double wrapped(double v) {
    v -= std::floor(v);
    return v < 1 ? v : 0;
}

/// A standard normal number from a uniform one in [0, 1): by the inverse of the distribution function.
double normal_number(double uniform) {
    const double middle = (static_cast<double>(static_cast<uint64_t>(uniform * 0x1p52)) + 0.5) * 0x1p-52;
    return portable::normal_quantile(middle - 0.5);
}

/// 64 bits after the binary point as a number in [0, 1): the first 53 of them.
double fraction_of(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

uint64_t bits_of_fraction(double u) { return static_cast<uint64_t>(u * 0x1p53) << 11; }

uint64_t reversed(uint64_t v) {
    v = (v >> 1 & 0x5555555555555555u) | (v & 0x5555555555555555u) << 1;
    v = (v >> 2 & 0x3333333333333333u) | (v & 0x3333333333333333u) << 2;
    v = (v >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (v & 0x0F0F0F0F0F0F0F0Fu) << 4;
    v = (v >> 8 & 0x00FF00FF00FF00FFu) | (v & 0x00FF00FF00FF00FFu) << 8;
    v = (v >> 16 & 0x0000FFFF0000FFFFu) | (v & 0x0000FFFF0000FFFFu) << 16;
    return v >> 32 | v << 32;
}

/// 33 ternary digits behind the point, as a whole number below 3^33 < 2^53; each place permutes its digits.
class TernaryDigits {
  public:
    explicit TernaryDigits(const Random* random) {
        for (int place = kPlaces - 1; place >= 0; --place) {
            const uint64_t weight = place == kPlaces - 1 ? 1 : 3 * weights_[static_cast<size_t>(place) + 1];
            weights_[static_cast<size_t>(place)] = weight;
            std::array<uint64_t, 3>& digits = digits_[static_cast<size_t>(place)];
            digits = {0, 1, 2};
            if (random) {
                const RandomPair u = random->pair(Stream::kDigits, static_cast<uint64_t>(place) + 1);
                std::swap(digits[2], digits[below(u.first, 3)]);
                std::swap(digits[1], digits[below(u.second, 2)]);
            }
        }
        for (size_t place = kPlaces; place-- > 0;)
            zeros_[place] = zeros_[place + 1] + digits_[place][0] * weights_[place];
    }

    /// The radical inverse of `index` in base 3.
    double fraction(uint64_t index) const {
        uint64_t sum = 0;
        size_t place = 0;
        for (; index > 0; index /= 3, ++place) sum += digits_[place][index % 3] * weights_[place];
        return static_cast<double>(sum + zeros_[place]) / static_cast<double>(3 * weights_[0]);
    }

  private:
    static constexpr int kPlaces = 33;
    std::array<uint64_t, kPlaces> weights_{};
    std::array<std::array<uint64_t, 3>, kPlaces> digits_{};  // the permuted digits 0, 1 and 2
    std::array<uint64_t, kPlaces + 1> zeros_{};  // the sum of all places from here on for an index without them
};

uint64_t whole_option(const GeneratorSpec& spec, const char* name) {
    return static_cast<uint64_t>(option_of(spec, name));
}

bool is_random(const GeneratorSpec& spec) { return option_of(spec, "random") != 0; }

std::vector<Point> halton(const GeneratorSpec& spec, const Random& random) {
    const uint64_t skip = whole_option(spec, "skip");
    const TernaryDigits ternary(is_random(spec) ? &random : nullptr);
    const uint64_t flipped = is_random(spec) ? bits_of_fraction(random.number(Stream::kDigits, 0)) : 0;
    return make_each(spec.count, [&](uint64_t i) {
        return Point{fraction_of(reversed(skip + i) ^ flipped), ternary.fraction(skip + i)};
    });
}

std::vector<Point> sobol(const GeneratorSpec& spec, const Random& random) {
    const uint64_t skip = whole_option(spec, "skip");
    const RandomPair u = is_random(spec) ? random.pair(Stream::kDigits, 0) : RandomPair{0, 0};
    const uint64_t flipped_x = bits_of_fraction(u.first), flipped_y = bits_of_fraction(u.second);
    return make_each(spec.count, [&](uint64_t i) {
        // The primitive polynomial x + 1: every direction number is the one before, plus that shifted by one.
        uint64_t y = 0, direction = uint64_t{1} << 63;
        for (uint64_t index = skip + i; index > 0; index >>= 1) {
            if (index & 1) y ^= direction;
            direction ^= direction >> 1;
        }
        return Point{fraction_of(reversed(skip + i) ^ flipped_x), fraction_of(y ^ flipped_y)};
    });
}

std::vector<Point> r2(const GeneratorSpec& spec, const Random& random) {
    const uint64_t skip = whole_option(spec, "skip");
    constexpr uint64_t kHalf = uint64_t{1} << 63;
    constexpr uint64_t kStepX = 0xc13fa9a902a6328f, kStepY = 0x91e10da5c79e7b1d;  // 2^64 / g and 2^64 / g², g³ = g + 1
    const RandomPair u = is_random(spec) ? random.pair(Stream::kDigits, 0) : RandomPair{0, 0};
    const uint64_t from_x = kHalf + bits_of_fraction(u.first), from_y = kHalf + bits_of_fraction(u.second);
    return make_each(spec.count, [&](uint64_t i) {
        const uint64_t k = skip + i + 1;
        return Point{fraction_of(from_x + k * kStepX), fraction_of(from_y + k * kStepY)};
    });
}

/// About √n rows, each as high as its number of cells demands: n cells of the same area, whatever n is.
std::vector<Point> jittered(const GeneratorSpec& spec, const Random& random) {
    const uint64_t n = spec.count;
    const double amount = option_of(spec, "amount"), least = (1 - amount) / 2;
    const auto rows = std::max<uint64_t>(1, static_cast<uint64_t>(std::sqrt(static_cast<double>(n)) + 0.5));
    uint64_t row = 0, first = 0, end = n / rows;  // cells first … end - 1 are those of the row
    return make_each(n, [&](uint64_t i) {
        if (i == end) {
            first = end;
            end = (++row + 1) * n / rows;
        }
        const RandomPair u = random.pair(Stream::kPlace, i);
        const double x = static_cast<double>(i - first) + (least + amount * u.first);
        const auto cells = static_cast<double>(end - first);
        return Point{x / cells,
                     (static_cast<double>(first) + cells * (least + amount * u.second)) / static_cast<double>(n)};
    });
}

/// Each point belongs to one of the parents at random, and lies off it by offset(i), on the torus.
template <class Offset>
std::vector<Point> around_parents(const GeneratorSpec& spec, const Random& random, const Offset& offset) {
    const double parents = std::floor(static_cast<double>(spec.count) / option_of(spec, "mean") + 0.5);
    const auto parent_count = std::max<uint64_t>(1, static_cast<uint64_t>(parents));
    return make_each(spec.count, [&](uint64_t i) {
        const RandomPair parent =
            random.pair(Stream::kParentPlace, below(random.number(Stream::kParent, i), parent_count));
        const Point o = offset(random.pair(Stream::kPlace, i));
        return Point{wrapped(parent.first + o.x), wrapped(parent.second + o.y)};
    });
}

/// In the unit square, where clusters are 1 / √clusters apart.
double cluster_size(const GeneratorSpec& spec, const char* option, double part) {
    const double given = option_of(spec, option);
    if (!std::isnan(given)) return given;
    return std::min(part * std::sqrt(option_of(spec, "mean") / static_cast<double>(std::max<uint64_t>(spec.count, 1))),
                    part);
}

std::vector<Point> thomas(const GeneratorSpec& spec, const Random& random) {
    const double sigma = cluster_size(spec, "sigma", 0.15);
    return around_parents(spec, random, [&](RandomPair u) {
        return Point{sigma * normal_number(u.first), sigma * normal_number(u.second)};
    });
}

std::vector<Point> matern_cluster(const GeneratorSpec& spec, const Random& random) {
    const double radius = cluster_size(spec, "radius", 0.3);
    return around_parents(spec, random, [&](RandomPair u) {
        const portable::SineCosine at = portable::sine_cosine(2 * std::numbers::pi * u.first);
        const double r = radius * std::sqrt(u.second);
        return Point{r * at.cosine, r * at.sine};
    });
}

double hard_core_radius(const GeneratorSpec& spec) {
    const double given = option_of(spec, "radius");
    if (!std::isnan(given)) return given;
    return std::sqrt(0.5 / (std::numbers::pi * static_cast<double>(std::max<uint64_t>(spec.count, 1))));
}

/// The number of proposals of which about `wanted` remain.
double proposals_for(double wanted, double area) {
    const double covered = std::min(wanted * area, 0.98);
    if (covered < 1e-6) return wanted;
    return area < 1e-6 ? -portable::log(1 - covered) / area : portable::log(1 - covered) / portable::log(1 - area);
}

/// A few more than are wanted: the first of them are as good as any.
std::vector<Point> matern2(const GeneratorSpec& spec, const Random& random) {
    const uint64_t n = spec.count;
    if (n == 0) return {};
    const auto count = static_cast<double>(n);
    const double radius = hard_core_radius(spec);
    double proposals = proposals_for(count + 3 * std::sqrt(count) * (radius > 0), std::numbers::pi * radius * radius);
    for (uint64_t attempt = 0;; ++attempt) {
        const auto whole = std::max(static_cast<uint64_t>(proposals), n);
        std::vector<Point> points = hard_core_points(whole, radius, random, attempt << 40);
        if (points.size() >= n) {
            points.resize(n);
            return points;
        }
        proposals = 1.05 * static_cast<double>(whole) + 1;
    }
}

/// Row by row, every second row moved by half a spacing. With vacancies as many sites more, of which as many are empty.
std::vector<Point> hexagonal(const GeneratorSpec& spec, const Random& random) {
    const double share = option_of(spec, "vacancies"), noise = option_of(spec, "noise");
    const auto vacancies = static_cast<uint64_t>(static_cast<double>(spec.count) * share / (1 - share) + 0.5);
    const uint64_t sites = spec.count + vacancies;
    const double row_height = std::sqrt(0.75);  // in spacings
    const auto width =
        std::max<uint64_t>(1, static_cast<uint64_t>(std::sqrt(static_cast<double>(sites) * row_height) + 0.5));
    const double spacing = 1 / static_cast<double>(width);
    uint64_t site = 0, empty = vacancies;
    return make_each(spec.count, [&](uint64_t) {
        // Each of the vacancies that are left lies in each of the sites that are left with the same probability
        // (Fan, Muller and Rezucha 1962).
        while (empty > 0 && below(random.number(Stream::kVacancy, site), sites - site) < empty) --empty, ++site;
        const uint64_t row = site / width;
        double x = static_cast<double>(site % width) + (row % 2 == 0 ? 0.25 : 0.75);
        double y = (static_cast<double>(row) + 0.5) * row_height;
        if (noise > 0) {
            const RandomPair u = random.pair(Stream::kPlace, site);
            x += noise * normal_number(u.first);
            y += noise * normal_number(u.second);
        }
        ++site;
        return Point{x * spacing, y * spacing};
    });
}

std::vector<Point> blue_noise(const GeneratorSpec& spec, const Random& random) {
    GeneratorSpec start{.name = "jittered", .count = spec.count};
    std::vector<Point> points = jittered(start, random);
    relax(points, whole_option(spec, "iterations"));
    return points;
}

std::vector<GeneratorEntry> make_list() {
    const auto process = [](const char* name, const char* sentence, uint64_t most, const char* source,
                            std::vector<GeneratorOption> options, uint64_t second_count = 0) {
        GeneratorInfo info{.name = name, .sentence = sentence, .max_count = most};
        info.process = true;
        info.second_count = second_count;
        info.source = source;
        info.options = std::move(options);
        return info;
    };
    const GeneratorOption random{"random", "1: moved at random by the seed; 0: the sequence itself", 0, 1, 0, true, ""};
    const GeneratorOption skip{"skip", "members of the sequence that are left out before the first", 0, 1e9, 0, true,
                               ""};
    const GeneratorOption mean{"mean", "points of a cluster, on average", 1, 1e6, 20, false, ""};
    return {
        {process("halton", "the Halton sequence of bases 2 and 3 in the unit square", kMostPoints,
                 "J. H. Halton, Numerische Mathematik 2, 1960", {random, skip}),
         halton},
        {process("sobol", "the Sobol sequence: each 2^m of its points are a (0, m, 2)-net of the unit square",
                 kMostPoints, "I. M. Sobol, USSR Computational Mathematics and Mathematical Physics 7, 1967",
                 {random, skip}),
         sobol},
        {process("r2", "the R\u2082 sequence: steps by powers of the plastic number, modulo 1", kMostPoints,
                 "M. Roberts, The unreasonable effectiveness of quasirandom sequences, 2018", {random, skip}),
         r2},
        {process("jittered", "one random point in each of as many cells of the same area", kMostPoints,
                 "R. L. Cook, ACM Transactions on Graphics 5, 1986",
                 {{"amount", "how much of its cell's width a point may take", 0, 1, 1, false, ""}}),
         jittered},
        {process("thomas", "normal clusters around random places (Neyman-Scott process)", kMostPoints,
                 "M. Thomas, Biometrika 36, 1949",
                 {mean,
                  {"sigma", "deviation of a cluster along each axis", 1e-9, 1, kAutomatic, false,
                   "0.15 \u221a(mean / count)"}}),
         thomas},
        {process(
             "matern-cluster", "clusters that fill discs around random places (Neyman-Scott process)", kMostPoints,
             "B. Mat\u00e9rn, Spatial variation, 1960",
             {mean, {"radius", "of the disc of a cluster", 1e-9, 1, kAutomatic, false, "0.3 \u221a(mean / count)"}}),
         matern_cluster},
        {process("matern2", "random points without those that came too late, too near (hard core, type II)",
                 kMostHardCorePoints, "B. Mat\u00e9rn, Spatial variation, 1960",
                 {{"radius", "no two points are nearer", 0, 0.5, kAutomatic, false, "\u221a(0.5 / (\u03c0 count))"}}),
         matern2},
        {process("ginibre", "eigenvalues of a random complex matrix: they repel each other and fill the unit disc",
                 kMostGinibrePoints, "J. Ginibre, Journal of Mathematical Physics 6, 1965", {}, 750),
         ginibre_points},
        {process("hexagonal", "a triangular lattice, with normal noise and empty sites where they are asked for",
                 kMostPoints, "C. Kittel, Introduction to Solid State Physics, 1953",
                 {{"noise", "deviation along each axis, in lattice spacings", 0, 2, 0, false, ""},
                  {"vacancies", "share of the sites that are empty", 0, 0.9, 0, false, ""}}),
         hexagonal},
        {process("penrose", "vertices of a tiling by Penrose's two rhombs: a quasicrystal", kMostPenroseVertices,
                 "N. G. de Bruijn, Indagationes Mathematicae 43, 1981", {}),
         penrose_vertices},
        {process("blue-noise",
                 "jittered points after Lloyd's relaxation on the torus: evenly spread, without a lattice",
                 kMostRelaxedPoints, "S. P. Lloyd, IEEE Transactions on Information Theory 28, 1982",
                 {{"iterations", "of the relaxation", 0, 10'000, kUsualRelaxations, true, ""}}, 35'000),
         blue_noise},
    };
}

}  // namespace

const std::vector<GeneratorEntry>& point_processes() {
    static const std::vector<GeneratorEntry> list = make_list();
    return list;
}

void check_process(const GeneratorSpec& spec) {
    if (spec.name == "matern2" && spec.count > 0) {
        const double most = std::sqrt(kMostCovered / (std::numbers::pi * static_cast<double>(spec.count)));
        if (hard_core_radius(spec) > most)
            throw Error("generator \"matern2\": " + count_text(spec.count, "point", "points") +
                        " have no room with a radius above " + format_short(most) + ", found " +
                        format_short(hard_core_radius(spec)));
    }
    if (spec.name == "blue-noise") {
        const double moves = static_cast<double>(spec.count) * option_of(spec, "iterations");
        if (moves > kMostRelaxationMoves)
            throw Error("generator \"blue-noise\": points times iterations must be at most " +
                        format_short(kMostRelaxationMoves) + ", which takes a minute; " + std::to_string(spec.count) +
                        " points take at most " +
                        std::to_string(static_cast<uint64_t>(kMostRelaxationMoves / static_cast<double>(spec.count))) +
                        " iterations, found " + format_short(option_of(spec, "iterations")));
    }
}

std::vector<Point> hard_core_points(uint64_t proposals, double radius, const Random& random, uint64_t first) {
    if (proposals > std::numeric_limits<uint32_t>::max()) throw Error("more than 4294967295 proposals");
    const auto place = [&](uint64_t i) {
        const RandomPair u = random.pair(Stream::kPlace, first + i);
        return Point{u.first, u.second};
    };
    // Cells are at least as wide as the radius, so near points are in neighbouring cells; about one proposal each.
    const double finest = std::sqrt(static_cast<double>(proposals)) + 1;
    const auto width = static_cast<uint64_t>(radius * finest > 1 ? std::max(1 / radius, 1.0) : finest);
    const auto cell_along = [&](double v) {
        return std::min(static_cast<uint64_t>(v * static_cast<double>(width)), width - 1);
    };
    struct Proposal {
        Point place;
        uint64_t rank;  // the mark, and of equal marks the number
    };
    // Sorted by rows, then each row by columns: a row fits into the cache, the whole does not.
    std::vector<uint32_t> row_ends(width + 1, 0);
    CancelPoll poll;
    for (uint64_t i = 0; i < proposals; ++i) {
        poll();
        ++row_ends[cell_along(place(i).y) + 1];
    }
    for (size_t row = 1; row <= width; ++row) row_ends[row] += row_ends[row - 1];
    std::vector<Proposal> sorted;
    resize_or_cancel(sorted, proposals);
    for (uint64_t i = 0; i < proposals; ++i) {
        poll();
        const Point p = place(i);
        const auto mark = static_cast<uint64_t>(random.number(Stream::kMark, first + i) * 0x1p32);
        sorted[row_ends[cell_along(p.y)]++] = {p, mark << 32 | i};
    }
    std::vector<uint32_t> ends;  // of each cell's proposals, in the sorted list
    resize_or_cancel(ends, width * width);
    std::vector<Proposal> unsorted;
    uint32_t begin = 0;
    for (size_t row = 0; row < width; ++row) {
        unsorted.assign(sorted.begin() + begin, sorted.begin() + row_ends[row]);
        uint32_t* const of_row = ends.data() + row * width;
        for (const Proposal& one : unsorted) {
            poll();
            ++of_row[cell_along(one.place.x)];
        }
        for (size_t column = 0; column < width; ++column) {
            const uint32_t count = of_row[column];
            of_row[column] = begin;
            begin += count;
        }
        for (const Proposal& one : unsorted) sorted[of_row[cell_along(one.place.x)]++] = one;
    }
    const auto along = [](double d) {
        d = std::fabs(d);
        return std::min(d, 1 - d);
    };
    const auto stays = [&](const Proposal& one) {
        const uint64_t x = cell_along(one.place.x), y = cell_along(one.place.y);
        for (const uint64_t row : {y, y == 0 ? width - 1 : y - 1, y + 1 == width ? 0 : y + 1})
            for (const uint64_t column : {x, x == 0 ? width - 1 : x - 1, x + 1 == width ? 0 : x + 1}) {
                const uint64_t cell = row * width + column;
                for (uint32_t k = cell == 0 ? 0 : ends[cell - 1]; k < ends[cell]; ++k) {
                    if (sorted[k].rank >= one.rank) continue;
                    const Point other = sorted[k].place;
                    if (square_of(along(other.x - one.place.x)) + square_of(along(other.y - one.place.y)) <
                        radius * radius)
                        return false;
                }
            }
        return true;
    };
    std::vector<bool> kept(proposals);
    for (const Proposal& one : sorted) {
        poll();
        if (stays(one)) kept[one.rank & 0xFFFFFFFFu] = true;
    }
    std::vector<Point> points;
    for (uint64_t i = 0; i < proposals; ++i) {
        poll();
        if (kept[i]) points.push_back(place(i));
    }
    return points;
}

}  // namespace flipscope
