// From images to bubbles: each step against plain loops over all pixels, and a film of touching bubbles in uneven
// light.
#include "events/sources/segmentation.h"

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "events/inputs.h"
#include "test_support.h"
#include "voronoi/flood_fill.h"

using namespace flipscope;

namespace {

using Mask = std::vector<uint8_t>;

std::vector<Lattice> lattices() { return {{37, 23}, {16, 41, true}, {29, 12, {true, false}}, {1, 9}, {9, 1, true}}; }

/// The pixel at (x, y), which may lie beyond the borders: wrapped, or mirrored with the border pixel repeated.
size_t mirrored(const Lattice& lattice, int x, int y) {
    const auto inside = [](int at, int n, bool wraps) {
        while (at < 0 || at >= n) at = wraps ? (at < 0 ? at + n : at - n) : at < 0 ? -1 - at : 2 * n - 1 - at;
        return at;
    };
    const int width = int(lattice.width), height = int(lattice.height);
    return size_t(inside(y, height, lattice.periodic.y)) * lattice.width + size_t(inside(x, width, lattice.periodic.x));
}

std::vector<float> noise(const Lattice& lattice, uint32_t seed, double low, double high) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(low, high);
    std::vector<float> values(lattice.pixel_count());
    for (float& value : values) value = static_cast<float>(any(random));
    return values;
}

/// Calls each(pixel, x, y).
void each_pixel(const Lattice& lattice, const std::function<void(size_t, int, int)>& each) {
    for (uint32_t i = 0; i < lattice.pixel_count(); ++i) each(i, int(lattice.x_of(i)), int(lattice.y_of(i)));
}

std::vector<double> weighted(const Lattice& lattice, const std::vector<double>& in,
                             const std::vector<double>& weights) {
    std::vector<double> out(in.size());
    const int r = int(weights.size()) - 1;
    each_pixel(lattice, [&](size_t i, int x, int y) {
        double sum = 0, all = 0;
        for (int dy = -r; dy <= r; ++dy)
            for (int dx = -r; dx <= r; ++dx) {
                const double weight = weights[size_t(std::abs(dx))] * weights[size_t(std::abs(dy))];
                sum += weight * in[mirrored(lattice, x + dx, y + dy)];
                all += weight;
            }
        out[i] = sum / all;
    });
    return out;
}

std::vector<double> gaussian(const Lattice& lattice, const std::vector<double>& in, double deviation) {
    std::vector<double> weights;
    for (int k = 0; k <= int(4 * deviation + 0.5); ++k)
        weights.push_back(std::exp(-0.5 * k * k / deviation / deviation));
    return weighted(lattice, in, weights);
}
std::vector<double> mean(const Lattice& lattice, const std::vector<double>& in, int radius) {
    return weighted(lattice, in, std::vector<double>(size_t(radius) + 1, 1));
}

/// Whether the pixel is one of `mask`; `beyond`: the answer beyond open borders.
bool is_in(const Lattice& lattice, const Mask& mask, int x, int y, bool beyond) {
    const int width = int(lattice.width), height = int(lattice.height);
    if ((!lattice.periodic.x && (x < 0 || x >= width)) || (!lattice.periodic.y && (y < 0 || y >= height)))
        return beyond;
    return mask[mirrored(lattice, x, y)] != 0;
}

/// Erosion, or dilation, by a disc laid on every pixel.
Mask disc_applied(const Lattice& lattice, const Mask& mask, int r, bool erodes) {
    Mask out(mask.size());
    each_pixel(lattice, [&](size_t i, int x, int y) {
        bool found = erodes;
        for (int dy = -r; dy <= r; ++dy)
            for (int dx = -r; dx <= r; ++dx)
                if (dx * dx + dy * dy <= r * r && is_in(lattice, mask, x + dx, y + dy, erodes) != erodes)
                    found = !erodes;
        out[i] = found;
    });
    return out;
}

/// Calls each(neighbour) for the neighbours of pixel i in `mask`: 8, or 4 without corners.
void each_near(const Lattice& lattice, const Mask& mask, size_t i, const std::function<void(size_t)>& each,
               bool corners = true) {
    const int x = int(lattice.x_of(uint32_t(i))), y = int(lattice.y_of(uint32_t(i)));
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if ((corners || dx == 0 || dy == 0) && is_in(lattice, mask, x + dx, y + dy, false))
                each(mirrored(lattice, x + dx, y + dy));
}

/// Calls each(pixels) for each set of `value` pixels that hang together.
void each_component(const Lattice& lattice, const Mask& mask, uint8_t value, bool corners,
                    const std::function<void(const std::vector<size_t>&)>& each) {
    Mask left(mask.size());
    for (size_t i = 0; i < mask.size(); ++i) left[i] = mask[i] == value;
    for (size_t first = 0; first < mask.size(); ++first) {
        if (!left[first]) continue;
        std::vector<size_t> found{first};
        left[first] = 0;
        for (size_t next = 0; next < found.size(); ++next) {
            each_near(
                lattice, left, found[next],
                [&](size_t j) {
                    found.push_back(j);
                    left[j] = 0;
                },
                corners);
        }
        each(found);
    }
}

/// The exact distance to the nearest pixel of background.
std::vector<double> distances(const Lattice& lattice, const Mask& mask) {
    std::vector<double> found(mask.size(), HUGE_VAL);
    for (uint32_t i = 0; i < mask.size(); ++i)
        for (uint32_t j = 0; j < mask.size(); ++j)
            if (!mask[j])
                found[i] = std::min(found[i], std::sqrt(lattice.squared_distance(lattice.place(i), lattice.place(j))));
    return found;
}

std::vector<float> field_of(const Mask& mask) { return {mask.begin(), mask.end()}; }

LabelCells cells_of(Context& context, const SegmentationParameters& parameters, const Lattice& lattice,
                    const std::vector<float>& field, double threshold = 0.5, bool below = false) {
    Segmentation segmentation(parameters, lattice, *std::min_element(field.begin(), field.end()),
                              *std::max_element(field.begin(), field.end()));
    Buffer<float> on_device("field");
    std::vector<float> prepared = field;
    if (parameters.prepares()) {
        const std::vector<double> exact = segmentation.prepare(context, field.data());
        prepared.assign(exact.begin(), exact.end());
    }
    on_device.upload(context, prepared.data(), prepared.size());
    return segmentation.cells(context, on_device.view(), threshold, below);
}

Mask mask_of(const LabelCells& cells) {
    Mask mask;
    for (const uint32_t cell : cells.pixels) mask.push_back(cell != kNone);
    return mask;
}

/// A film of bubbles that nearly touch, moving to and fro in light that falls off, with noise.
Input foam_film(uint32_t width, uint32_t height, size_t frames, std::vector<float>* first = nullptr) {
    auto stack = std::make_shared<FieldStack>();
    stack->name = "foam.tif";
    stack->width = width;
    stack->height = height;
    std::mt19937 random(4);
    std::normal_distribution<double> spread(0, 0.06);
    for (size_t t = 0; t < frames; ++t)
        for (uint32_t y = 0; y < height; ++y)
            for (uint32_t x = 0; x < width; ++x) {
                double inside = 0;
                for (int row = 0; 20 * row + 25 < int(height); ++row)
                    for (int column = 0; 20 * column + 30 < int(width); ++column) {
                        const double dx = x -
                                          (14 + 20.0 * column + (row % 2 ? 8 : 0) + double(t) * (row % 2 ? 1 : -1) / 2),
                                     dy = y - (14 + 20.0 * row);
                        inside = std::max(inside, 10 - std::sqrt(dx * dx + dy * dy));
                    }
                const double light = 1 - 0.6 * x / width;
                stack->values.push_back(float((0.2 + 0.6 * std::min(inside, 1.0)) * light + spread(random)));
            }
    if (first) first->assign(stack->values.begin(), stack->values.begin() + width * height);
    return recorded(stack);
}

const Settings kRecipe{"field=threshold", "smoothing=1.5",    "background_radius=25", "opening=2",
                       "hole_area=50",    "split_height=1.5", "least_area=60"};

}  // namespace

TEST_CASE("segmentation: smoothing and background are those of plain sums over all weights, on every device") {
    for (const Lattice& lattice : lattices()) {
        CAPTURE(lattice.width);
        for (const double low : {0.0, -3e6}) {
            const std::vector<float> frame = noise(lattice, 5, low, low + 100);
            const std::vector<double> exact(frame.begin(), frame.end());
            std::vector<double> first;
            for (const double smoothing : {0.0, 0.7, 3.0})
                for (const int radius : {0, 1, 40}) {
                    SegmentationParameters parameters{.smoothing = smoothing, .background_radius = radius};
                    std::vector<double> expected = smoothing > 0 ? gaussian(lattice, exact, smoothing) : exact;
                    if (radius > 0) {
                        const std::vector<double> ground = mean(lattice, expected, radius);
                        for (size_t i = 0; i < ground.size(); ++i) expected[i] -= ground[i];
                    }
                    first.clear();
                    on_every_device([&](Context& context) {
                        Segmentation segmentation(parameters, lattice, low, low + 100);
                        const std::vector<double> prepared = segmentation.prepare(context, frame.data());
                        for (size_t i = 0; i < prepared.size(); ++i)
                            CHECK(std::abs(prepared[i] - expected[i]) < 1e-6);  // of 100
                        if (first.empty()) first = prepared;
                        CHECK(prepared == first);
                    });
                }
        }
    }
}

TEST_CASE("segmentation: a local threshold is the mean of the window less the offset") {
    for (const Lattice& lattice : lattices()) {
        const std::vector<float> frame = noise(lattice, 6, 0, 1);
        const std::vector<double> exact(frame.begin(), frame.end());
        const std::vector<double> around = mean(lattice, exact, 3);
        for (const bool below : {false, true})
            on_every_device([&](Context& context) {
                const SegmentationParameters parameters{.local_radius = 3, .local_offset = 0.03};
                const Mask found = mask_of(cells_of(context, parameters, lattice, frame, 0.5, below));
                for (size_t i = 0; i < found.size(); ++i) {
                    const double past = exact[i] - (around[i] - 0.03);
                    if (std::abs(past) > 1e-8) CHECK(bool(found[i]) == (below ? past < 0 : past > 0));
                }
            });
    }
}

TEST_CASE("segmentation: opening and closing lay the disc on every pixel, and small holes are filled") {
    uint32_t seed = 0;
    for (const Lattice& lattice : lattices())
        for (const double share : {0.3, 0.7, 0.95}) {
            const std::vector<float> values = noise(lattice, ++seed, 0, 1);
            Mask mask;
            for (const float value : values) mask.push_back(value < share);
            for (const auto& [opening, closing, hole] :
                 {std::array{1, 0, 0}, {0, 2, 0}, {2, 3, 0}, {0, 0, 6}, {1, 1, 12}}) {
                INFO(lattice.width, " ", share, " ", opening, " ", closing, " ", hole);
                Mask expected = mask;
                for (const bool erodes : {true, false}) expected = disc_applied(lattice, expected, opening, erodes);
                for (const bool erodes : {false, true}) expected = disc_applied(lattice, expected, closing, erodes);
                Mask filled = expected;
                each_component(lattice, expected, 0, false, [&](const std::vector<size_t>& pixels) {
                    for (const size_t i : pixels) filled[i] = pixels.size() < size_t(hole);
                });
                on_every_device([&](Context& context) {
                    CHECK(mask_of(cells_of(context, {.opening = opening, .closing = closing, .hole_area = hole},
                                           lattice, field_of(mask))) == filled);
                });
            }
        }
}

TEST_CASE("segmentation: bubbles are numbered by their lowest pixels; small ones and those at borders are left out") {
    for (const Lattice& lattice : lattices()) {
        Mask mask;
        for (const float value : noise(lattice, 9, 0, 1)) mask.push_back(value < 0.35);
        std::vector<uint32_t> expected(mask.size(), kNone);
        uint32_t next = 0;
        each_component(lattice, mask, 1, true, [&](const std::vector<size_t>& pixels) {
            bool ends = pixels.size() < 3;
            for (const size_t i : pixels) {
                const uint32_t x = lattice.x_of(uint32_t(i)), y = lattice.y_of(uint32_t(i));
                ends |= (!lattice.periodic.x && (x == 0 || x + 1 == lattice.width)) ||
                        (!lattice.periodic.y && (y == 0 || y + 1 == lattice.height));
            }
            if (ends) return;
            for (const size_t i : pixels) expected[i] = next;
            ++next;
        });
        on_every_device([&](Context& context) {
            CHECK(cells_of(context, {.least_area = 3, .inner_only = true}, lattice, field_of(mask)).pixels == expected);
        });
    }
}

TEST_CASE("segmentation: each h-maximum of the distance has one bubble, which the flood from its peak reaches") {
    for (const Lattice& lattice : {Lattice{60, 44}, Lattice{48, 36, true}})
        for (uint32_t seed = 1; seed <= case_count(3); ++seed) {
            std::mt19937 random(seed);
            Mask mask(lattice.pixel_count(), 0);
            for (int disc = 0; disc < 14; ++disc) {
                const Point at{double(random() % lattice.width), double(random() % lattice.height)};
                const double radius = 3 + double(random() % 5);
                for (uint32_t i = 0; i < mask.size(); ++i)
                    if (lattice.squared_distance(lattice.place(i), at) < radius * radius) mask[i] = 1;
            }
            const std::vector<double> distance = distances(lattice, mask);
            for (const double height : {0.2, 1.0, 2.5}) {
                INFO(lattice.width, " ", seed, " ", height);
                // A pixel is the peak of a bubble if no higher one can be reached over ground above its own less the
                // height; of equal ones the last.
                const auto is_higher = [&](size_t a, size_t b) {
                    return distance[a] > distance[b] || (distance[a] == distance[b] && a > b);
                };
                std::vector<size_t> peaks;
                for (size_t i = 0; i < mask.size(); ++i) {
                    bool is_peak = mask[i] != 0;
                    each_near(lattice, mask, i, [&](size_t j) { is_peak &= !is_higher(j, i); });
                    if (!is_peak) continue;
                    Mask ground(mask.size());
                    for (size_t j = 0; j < mask.size(); ++j) ground[j] = mask[j] && distance[i] - distance[j] < height;
                    each_component(lattice, ground, 1, true, [&](const std::vector<size_t>& pixels) {
                        if (std::find(pixels.begin(), pixels.end(), i) == pixels.end()) return;
                        for (const size_t j : pixels) is_peak &= !is_higher(j, i);
                    });
                    if (is_peak) peaks.push_back(i);
                }
                // Flood from the peaks down: the highest pixel that touches a flooded one is next.
                std::vector<size_t> flooded(mask.size(), SIZE_MAX);
                std::map<std::pair<double, size_t>, size_t, std::greater<>> due;
                for (const size_t peak : peaks) due[{distance[peak], peak}] = peak;
                while (!due.empty()) {
                    const auto [at, peak] = *due.begin();
                    due.erase(due.begin());
                    if (flooded[at.second] != SIZE_MAX) continue;
                    flooded[at.second] = peak;
                    each_near(lattice, mask, at.second, [&, peak = peak](size_t j) {
                        due.try_emplace({distance[j], j}, peak);
                    });
                }
                std::vector<uint32_t> first;
                on_every_device([&](Context& context) {
                    const LabelCells cells = cells_of(context, {.split_height = height}, lattice, field_of(mask));
                    CHECK(mask_of(cells) == mask);
                    CHECK(cells.names.size() == peaks.size());
                    std::set<uint32_t> of_peaks;
                    for (const size_t peak : peaks) of_peaks.insert(cells.pixels[peak]);
                    CHECK(of_peaks.size() == peaks.size());
                    size_t differ = 0, all = 0;  // ties at the lines between bubbles are decided in another order
                    for (size_t i = 0; i < mask.size(); ++i) {
                        all += mask[i];
                        differ += mask[i] && cells.pixels[i] != cells.pixels[flooded[i]];
                    }
                    CHECK(double(differ) < 0.03 * double(all));
                    if (first.empty()) first = cells.pixels;
                    CHECK(cells.pixels == first);
                });
            }
        }
}

TEST_CASE("segmentation: numbers that floats cannot tell apart are smoothed as they are; no contrast is no bubble") {
    Context context(DeviceRequest::kCpu, 2);
    const Lattice lattice{30, 20};
    std::vector<double> frame;
    each_pixel(lattice, [&](size_t, int x, int) { frame.push_back(1e12 + (x < 15 ? 0 : 1)); });
    Segmentation segmentation({.background_radius = 4}, lattice, 1e12, 1e12 + 1);
    const std::vector<double> prepared = segmentation.prepare(context, frame.data());
    CHECK(prepared[3] == 0);
    CHECK(prepared[15] == doctest::Approx(1 - 5. / 9).epsilon(1e-8));
    CHECK(cells_of(context, {.smoothing = 2, .opening = 1}, lattice, std::vector<float>(600, 7), 7).names.empty());
    CHECK(error_of([&] { Segmentation({.smoothing = 21}, lattice, 0, 1); }) ==
          "smoothing: expected a number from 0 to 20 pixels, found 21.000000");
    CHECK(has(error_of([&] { Segmentation({}, {32767, 2}, 0, 1); }), "32767 × 2 pixels are too large"));
    // Numbers too small for the unit of the integers are 0.
    const double tiny[] = {0, 1e-310, 0, 1e-310};
    CHECK(Segmentation({.smoothing = 1}, {2, 2}, 0, 1e-310).prepare(context, tiny) == std::vector<double>(4, 0));
}

TEST_CASE("segmentation: of touching bubbles in uneven light with noise each is found, and none appears or vanishes") {
    const Input input = foam_film(190, 120, 3);
    constexpr size_t kBubbles = 40;
    uint64_t hash = 0;
    on_every_device([&](Context& context) {
        const auto lab = finished(context, input, "events", kRecipe);
        CHECK(lab->result().points == kBubbles);
        for (const char* name : {"unmatched events", "births", "deaths", "break-ups", "coalescences"})
            CHECK(number_of(*lab, name) == 0);
        check_passes(*lab);
        if (hash == 0) hash = lab->state_hash();
        CHECK(lab->state_hash() == hash);
        CHECK(stepped(context, input, "events", kRecipe)->state_hash() == hash);
    });
    Context context(DeviceRequest::kCpu, 2);
    const auto plain = finished(context, input, "events", {"field=threshold"});
    CHECK(plain->result().points != kBubbles);
    // Saved amid the run, and loaded.
    const auto saved = started(context, input, "events", kRecipe);
    while (saved->step().ended < Level::kRound) {
    }
    const auto loaded = started(context, input, "events", kRecipe);
    loaded->load(saved->save());
    run_to_end(*loaded, true);
    CHECK(loaded->state_hash() == hash);
}

TEST_CASE("segmentation: before the first pass the picture shows the bubbles of the first frame") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = foam_film(190, 120, 2);
    const auto shown = [&](const Settings& settings) {
        const auto lab = started(context, input, "events", settings);
        const Scene scene = lab->scene();
        for (const Layer& layer : scene.layers)
            if (layer.id == "cells") return std::get<LatticeLayer>(layer.shape).colours->download();
        return std::vector<uint32_t>{};
    };
    const auto labels =
        values_of<uint32_t>(*finished(context, input, "events", with(kRecipe, {"comparisons=1"})), "labels");
    std::vector<uint32_t> first = shown(kRecipe);
    CHECK(first.size() == labels.size());
    sort_distinct_or_cancel(first);
    CHECK(first.size() == 41);  // and the background
    const std::vector<uint32_t> plain = shown({"field=threshold", "auto_threshold=off", "threshold=0.4"});
    const float* values = input->field->frame(0);
    for (size_t i = 0; i < plain.size(); ++i) CHECK((plain[i] != kNone) == (values[i] > 0.4));
}

TEST_CASE("segmentation: the number of bubbles of the first frame is stated before the first pass") {
    on_every_device([&](Context& context) {
        const std::vector<Point> frame{{5, 5}, {15, 15}, {30, 8}, {0, 20}, {39, 20}};  // the last two touch in a torus
        const Input input = film(40, 40, {frame, frame});
        for (const bool periodic : {false, true}) {
            const Settings settings{periodic ? "frame_borders=periodic" : "frame_borders=open"};
            const auto lab = started(context, input, "events", settings);
            CHECK(number_of(*lab, "bubbles") == (periodic ? 4 : 5));
            const std::string text = lab->step().message.text();
            const size_t count =
                text.find(periodic ? "4 bubbles in the first frame." : "5 bubbles in the first frame.");
            CHECK(count != text.npos);
            CHECK(count < text.find("Source: "));
        }
    });
}

TEST_CASE("segmentation: messages say what was found, and what cannot be is refused with a sentence") {
    Context context(DeviceRequest::kCpu, 1);
    const Input input = foam_film(190, 120, 2);
    const std::string text = messages_of(context, input, kRecipe);
    CHECK(
        has(text, "The field is the brightness smoothed by a Gaussian (σ = 1.5), less the mean over 51 × 51 pixels."));
    CHECK(has(text, "40 bubbles are found in the first frame"));
    CHECK(has(text, "by Otsu's method"));
    CHECK(has(messages_of(context, input, {"field=threshold", "local_radius=20", "local_offset=-0.05"}),
              "The threshold is the mean over 41 × 41 pixels around, less -0.05."));
    CHECK(
        has(messages_of(context, input, {"field=threshold", "least_area=100000"}), "No bubble is left in this frame."));
    CHECK(has(error_of([&] { finished(context, input, "events", with(kRecipe, {"matching=names"})); }),
              "matching=names needs a source that gives names"));
}
