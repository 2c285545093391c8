// The Predicate microscope: the signs of an orientation or in-circle determinant while one of its points runs over a
// patch of neighbouring floating-point numbers, as floats, as doubles and exactly, side by side. The kernels are in
// geometry/predicate_map.h; here are the scene and the reports on pixels.
//
// One round is float → double → exact → compare, each a pass over all pixels. The pixels are a function of the
// parameters and the input, so a snapshot holds only the parameters that can change during the run and the progress;
// load() computes the pixels again.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compute/array.h"
#include "compute/error.h"
#include "compute/text.h"
#include "compute/work.h"
#include "geometry/exact_values.h"
#include "geometry/places.h"
#include "geometry/point.h"
#include "geometry/predicate_map.h"
#include "instruments/side_by_side.h"
#include "lab/lab.h"
#include "lab/manual_edits.h"
#include "lab/parameter_visitor.h"
#include "lab/parameters.h"
#include "lab/vocabulary.h"
#include "mesh/checks.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

struct MicroscopeParameters {
    enum Coordinates { kInput, kTyped };
    enum Numbers { kDoubles, kFloats, kEach };
    enum Anchor { kAuto, kMiddle, kCorner };

    int predicate = 0;  // MapPredicate
    int coordinates = kInput;
    int index[4] = {0, 1, 2, 3};
    Point typed[4] = {{12, 12}, {24, 24}, {0.5, 0.5}, {12, 0.5}};
    int moves = 0;  // the last point, or 1 + index
    int numbers = kDoubles;
    int anchor = kAuto;
    int zoom_out = 0;
    int step_x = 0, step_y = 0;
    int width = 256, height = 256;
    int block_size = 128;
};

constexpr uint32_t kMicroscopeViews = 3;
constexpr const char* kMicroscopeViewNames[kMicroscopeViews] = {"float", "double", "exact"};

/// The initial state of a run.
struct MicroscopeStart {
    MovingPredicate of;
    std::array<NumberPatch, kMicroscopeViews> patches;
    std::array<int64_t, 4> indices{};  // of the points in the input; -1: typed, or of the example
    bool is_example = false;           // of Kettner et al.
    std::string message;               // a sentence, or empty
};

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

/// Throws Error for missing points and for coordinates outside the predicates' range. `input` may be null.
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

enum Pass : uint32_t { kFloat, kDouble, kExact, kCompare, kAdjust };
enum Counter : uint32_t { kPositive, kZero, kNegative, kFloatWrong, kDoubleWrong, kCounters };
constexpr uint32_t kExactView = 2;
constexpr const char* kSignNames[] = {"negative", "zero", "positive"};
constexpr const char* kArrayNames[kMicroscopeViews] = {"float_signs", "double_signs", "signs"};

static_assert(sizeof(State) == sizeof(uint16_t));

VisitParameters visit_of(MicroscopeParameters& parameters) {
    return [&](ParameterVisitor& visitor) { visit_microscope_parameters(visitor, parameters); };
}
std::string values_of_steps(MicroscopeParameters parameters) { return step_values(visit_of(parameters)); }

class MicroscopeLab final : public Lab, public Inspectable, public Adjustable, public Checkable, public Exporter {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override { visit_microscope_parameters(visitor, requested_); }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;

    bool done() const override { return state_.next == kNone; }
    uint32_t next_pass() const override { return state_.next; }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Level adjustable_after() const override { return Level::kRound; }
    StepResult adjust(const std::vector<Parameter>& values) override;
    void apply_view_parameters() override {}
    void finish_rounds(uint64_t rounds, const std::function<void(const StepResult&)>& after_round) override {
        if (rounds > 0) finish(after_round);
    }

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    CheckReport check() const override;
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;
    Result result() const override;
    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

  private:
    struct RunState {
        uint32_t next = kNone;
        uint32_t round = 0;
    };

    uint32_t pixels() const { return start_.patches[0].pixel_count(); }
    StepResult begin_step(uint32_t pass) const;
    void begin_round(MicroscopeStart start);
    void run(uint32_t pass, StepResult& result);
    uint64_t compare(uint32_t view);
    std::string title_of(uint32_t view) const;
    std::string name_of_point(uint32_t k) const;
    void add_signs(uint32_t view, uint32_t pixel, Point at, Report& report) const;

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    MicroscopeParameters requested_, now_;  // as set by the user; as of the last reset and later steps
    MicroscopeStart start_;
    // One word of MapBit per pixel, padded with an unused word to an even number.
    Buffer<State> words_[kMicroscopeViews] = {Buffer<State>{"float signs", Residence::kDrawn},
                                              Buffer<State>{"double signs", Residence::kDrawn},
                                              Buffer<State>{"exact signs", Residence::kDrawn}};
    Buffer<Point> corners_{"corners of the patch", Residence::kDrawn};
    Buffer<State> exact_of_floats_{"exact signs of floats"};  // if the first view has its own numbers
    SignCounts counts_[kMicroscopeViews];                     // of the computed views
    WrongCounts wrong_[kExactView];                           // known after all views
    RunState state_;
};

void MicroscopeLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    MicroscopeStart start = make_microscope_start(requested_, input.get());
    context.set_block_size(static_cast<uint32_t>(requested_.block_size) / 32 * 32);
    context_ = &context;
    input_ = std::move(input);
    now_ = requested_;
    state_ = {};
    begin_round(std::move(start));
}

/// Resets the words: nothing is computed yet.
void MicroscopeLab::begin_round(MicroscopeStart start) {
    start_ = std::move(start);
    for (Buffer<State>& words : words_) {
        words.fill(*context_, (size_t(pixels()) + 1) / 2 * 2, 0);
    }
    const double right = start_.patches[0].width - 0.5, top = start_.patches[0].height - 0.5;
    const Point corners[] = {{-0.5, -0.5}, {right, -0.5}, {right, top}, {-0.5, top}};
    corners_.upload(*context_, corners, 4);
    for (SignCounts& counts : counts_) counts = {};
    for (WrongCounts& wrong : wrong_) wrong = {};
    state_.next = kFloat;
}

StepResult MicroscopeLab::begin_step(uint32_t pass) const {
    StepResult result;
    result.pass = pass;
    result.counters.assign(kCounters, kNotCounted);
    return result;
}

StepResult MicroscopeLab::step() {
    if (done()) throw std::logic_error("the Predicate microscope is finished: reset it to start over");
    StepResult result = begin_step(state_.next);
    run(state_.next, result);
    result.close(state_.next, state_.round);
    return result;
}

void MicroscopeLab::finish(const std::function<void(const StepResult&)>& after_round) {
    if (done()) return;
    StepResult round = begin_step(kCompare);
    while (!done()) {
        const uint32_t pass = state_.next;
        StepResult one = begin_step(pass);
        run(pass, one);
        for (size_t k = 0; k < kCounters; ++k)
            if (one.counters[k] != kNotCounted) round.counters[k] = one.counters[k];
        round.message.add(one.message);
    }
    round.round = state_.round;
    round.ended = Level::kEnd;
    if (after_round) after_round(round);
}

void MicroscopeLab::run(uint32_t pass, StepResult& result) {
    context_->throw_if_cancelled();
    const WorkStage stage(info().passes[pass].name.c_str());
    if (pass == kCompare) {
        for (uint32_t view = 0; view < kExactView; ++view)
            result.counters[view == 0 ? kFloatWrong : kDoubleWrong] = static_cast<int64_t>(compare(view));
        state_.next = kNone;
        return;
    }
    if (pass == kFloat) {
        ++state_.round;
        result.message.add("example", start_.message);
    }
    const View<State> words = words_[pass].view(pixels());
    const NumberPatch& patch = start_.patches[pass];
    const SignCounts counts = pass == kExact ? map_exact_signs(*context_, start_.of, patch, words, "exact.signs")
                              : pass == kDouble
                                  ? map_naive_signs(*context_, start_.of, patch, false, words, "double.signs")
                                  : map_naive_signs(*context_, start_.of, patch, true, words, "float.signs");
    counts_[pass] = counts;
    result.counters[kPositive] = static_cast<int64_t>(counts.positive);
    result.counters[kZero] = static_cast<int64_t>(counts.zero);
    result.counters[kNegative] = static_cast<int64_t>(counts.negative);
    state_.next = pass + 1;
}

/// The number of signs in the view of floats or doubles that differ from the exact ones.
uint64_t MicroscopeLab::compare(uint32_t view) {
    const NumberPatch& patch = start_.patches[view];
    View<State> exact = words_[kExactView].view(pixels());
    if (patch.type != start_.patches[kExactView].type) {
        exact_of_floats_.resize(*context_, pixels(), false);
        exact = exact_of_floats_.view(pixels());
        map_exact_signs(*context_, start_.of, patch, exact, "compare.exact signs");
    }
    wrong_[view] = mark_wrong_signs(*context_, exact, words_[view].view(pixels()), pixels(), "compare.signs");
    return wrong_[view].wrong + wrong_[view].lost;
}

StepResult MicroscopeLab::adjust(const std::vector<Parameter>& values) {
    if (!context_) throw Error("There is no picture yet.");
    if (state_.next != kFloat && !done())
        throw std::logic_error("parameters of the Predicate microscope are changed between pictures");
    MicroscopeParameters wanted = now_;
    const std::string changes = change_parameters(visit_of(wanted), info().id, checked_adjustment(*this, values));
    MicroscopeStart start = make_microscope_start(wanted, input_.get());
    now_ = wanted;
    // Pending values of other parameters stay pending until the next start.
    set_step_values(visit_of(requested_), values_of_steps(now_));
    const bool again = done();
    StepResult result = begin_step(kAdjust);
    begin_round(std::move(start));
    if (again) {
        finish([&](const StepResult& round) {
            result.counters = round.counters;
            result.message = round.message;
        });
    }
    result.message.add("adjusted", changes.empty() ? "All parameters are as they were." : "Changed: " + changes + ".");
    result.next = state_.next;
    result.round = state_.round;
    result.ended = done() ? Level::kEnd : Level::kRound;
    return result;
}

uint64_t MicroscopeLab::state_hash() const {
    uint64_t hash = mix64(state_.next) ^ state_.round;
    for (const char c : values_of_steps(now_)) hash = mix64(hash ^ static_cast<unsigned char>(c));
    for (const Buffer<State>& words : words_)
        if (!words.empty())
            hash =
                hash_words(*context_, {reinterpret_cast<const std::byte*>(words.view().data), words.size() / 2}, hash);
    return hash;
}

Snapshot MicroscopeLab::save() const {
    Snapshot snapshot;
    const std::string values = values_of_steps(now_);
    put_values(snapshot, &state_, 1);
    put_values(snapshot, values.data(), values.size());
    return snapshot;
}

void MicroscopeLab::load(const Snapshot& snapshot) {
    const auto run_state = load_run_state<RunState>(snapshot, 2, "the Predicate microscope");
    const std::vector<char> text = load_vector<char>(snapshot, 1);
    const std::string values(text.begin(), text.end());
    MicroscopeParameters now = now_, requested = requested_;
    for (MicroscopeParameters* each : {&now, &requested}) set_step_values(visit_of(*each), values);
    const bool sound = values_of_steps(now) == values && (run_state.next == kNone || run_state.next <= kCompare);
    if (!sound) throw std::logic_error("not a snapshot of the Predicate microscope, or one of another input");
    MicroscopeStart start = make_microscope_start(now, input_.get());
    now_ = now;
    requested_ = requested;
    begin_round(std::move(start));
    StepResult ignored = begin_step(kFloat);
    while (state_.next != run_state.next) run(state_.next, ignored);
    state_ = run_state;
}

/// "double: 12,345 wrong"
std::string MicroscopeLab::title_of(uint32_t view) const {
    std::string title = view == kExactView ? "exact" : name_of(start_.of.naive_mode(view == kFloat));
    if (view == kExactView || !done()) return title;
    const uint64_t wrong = wrong_[view].wrong + wrong_[view].lost;
    return title + ": " + (wrong == 0 ? "no sign" : with_commas(wrong)) + " wrong";
}

namespace {

/// The numbers of a pixel and the three signs there.
std::vector<std::string> read_pixel(const MovingPredicate& of, const NumberPatch& patch, Point place) {
    const double x = std::floor(place.x + 0.5), y = std::floor(place.y + 0.5);
    if (!(x >= 0 && y >= 0 && x < patch.width && y < patch.height)) return {};
    const auto column = static_cast<uint32_t>(x), row = static_cast<uint32_t>(y);
    const std::string pixel = "pixel " + std::to_string(column) + ", " + std::to_string(row);
    if (!patch.has(column, row)) return {pixel + ": no number"};
    const Point at = patch.place(column, row);
    return {pixel + ": " + static_cast<char>('a' + of.moving) + " = (" + place_text(at) + ")",
            std::string(name_of(of.naive_mode(true))) + " " + sign_name(of.naive(true, at)) + ", " +
                name_of(of.naive_mode(false)) + " " + sign_name(of.naive(false, at)) + ", exact " +
                sign_name(of.exact(at))};
}

}  // namespace

Scene MicroscopeLab::scene() const {
    if (!context_) return {};
    using E = LegendEntry::Element;
    const bool circle = start_.of.predicate != MapPredicate::kOrientation;
    std::vector<Scene> views;
    for (uint32_t view = 0; view < kMicroscopeViews; ++view) {
        const NumberPatch& patch = start_.patches[view];
        Scene scene;
        scene.title = title_of(view);
        scene.readout = [of = start_.of, patch](Point place) { return read_pixel(of, patch, place); };
        scene.low = {-0.5, -0.5};
        scene.high = {patch.width - 0.5, patch.height - 0.5};
        LatticeLayer signs{patch.width, patch.height};
        signs.states = &words_[view];
        signs.fills = true;
        Layer layer{"signs", "Signs", "The sign of the determinant at every pixel, in its colour", true, signs};
        layer.legend = {{E::kPixel, kPositiveSign, Role::kPositive, "positive",
                         circle ? "The determinant says: inside the circle, where a, b, c are counter-clockwise."
                                : "The determinant says: a, b, c turn counter-clockwise."},
                        {E::kPixel, kZeroSign, Role::kZero, "zero",
                         circle ? "The determinant says: on the circle." : "The determinant says: on one line."},
                        {E::kPixel, kNegativeSign, Role::kNegative, "negative",
                         circle ? "The determinant says: outside the circle, where a, b, c are counter-clockwise."
                                : "The determinant says: a, b, c turn clockwise."}};
        scene.layers.push_back(std::move(layer));
        if (view != kExactView) {
            LatticeLayer marks{patch.width, patch.height};
            marks.states = &words_[view];
            Layer wrong{"wrong", "Wrong signs", "Pixels whose sign is not the exact one", true, marks};
            wrong.legend = {{E::kPixel, kWrongSign, Role::kSpurious, "wrong sign",
                             "Positive or negative, and the exact sign is another one."},
                            {E::kPixel, kLostSign, Role::kMissed, "lost sign",
                             "Zero, and the exact sign is positive or negative."}};
            scene.layers.push_back(std::move(wrong));
        }
        SegmentsLayer frame;
        frame.places = &corners_;
        frame.place_count = 4;
        frame.few_ends = {0, 1, 1, 2, 2, 3, 3, 0};
        scene.layers.push_back({"frame", "Frame", "The border of the patch", true, frame});
        views.push_back(std::move(scene));
    }
    return side_by_side(std::move(views));
}

Result MicroscopeLab::result() const {
    Result result;
    result.points = input_ ? input_->points.size() : 0;
    if (!context_) return result;
    const auto tell = [&](const std::string& name, uint64_t value) { result.numbers.add_number(name, "", value); };
    tell("pixels", pixels());
    for (uint32_t view = 0; view < kMicroscopeViews; ++view) {
        if (state_.next <= view) break;
        const std::string name = kMicroscopeViewNames[view];
        tell("positive, " + name, counts_[view].positive);
        tell("zero, " + name, counts_[view].zero);
        tell("negative, " + name, counts_[view].negative);
    }
    if (!done()) return result;
    for (uint32_t view = 0; view < kExactView; ++view) {
        const std::string name = kMicroscopeViewNames[view];
        tell("wrong signs, " + name, wrong_[view].wrong);
        tell("lost signs, " + name, wrong_[view].lost);
        result.headline += (view ? "; " : "") + title_of(view);
    }
    result.headline += ", of " + with_commas(pixels()) + " pixels";
    return result;
}

Element MicroscopeLab::pick(const Probe& probe) const {
    if (!context_ || probe.part >= kMicroscopeViews) return {ElementKind::kPixel, kNone, probe.part};
    const NumberPatch& patch = start_.patches[probe.part];
    const double x = std::floor(probe.place.x + 0.5), y = std::floor(probe.place.y + 0.5);
    if (!(x >= 0 && y >= 0 && x < patch.width && y < patch.height)) return {ElementKind::kPixel, kNone, probe.part};
    return {ElementKind::kPixel, static_cast<uint32_t>(y) * patch.width + static_cast<uint32_t>(x), probe.part};
}

/// "a, point 17 of the input"
std::string MicroscopeLab::name_of_point(uint32_t k) const {
    const std::string name(1, static_cast<char>('a' + k));
    return start_.indices[k] >= 0 ? name + ", point " + std::to_string(start_.indices[k]) : name;
}

/// Adds a number in each arithmetic, and its sign there.
void MicroscopeLab::add_signs(uint32_t view, uint32_t pixel, Point at, Report& report) const {
    const MovingPredicate& of = start_.of;
    const Point a = of.point(0, at), b = of.point(1, at), c = of.point(2, at), d = of.point(3, at);
    const int right = of.exact(at);
    const auto verdict = [&](int sign) {
        if (sign == right) return std::string(kSignNames[sign + 1]) + ", as it is";
        return std::string(kSignNames[sign + 1]) + (sign == 0 ? ": the sign is lost" : ": wrong");
    };
    const int in_float = of.naive(true, at), in_double = of.naive(false, at);
    Properties signs;
    signs.add(name_of(of.naive_mode(true)), sign_name(in_float), verdict(in_float));
    signs.add(name_of(of.naive_mode(false)), sign_name(in_double), verdict(in_double));
    signs.add("exact", sign_name(right), kSignNames[right + 1]);
    const State word = words_[view].read(pixel);
    if (word == 0) signs.add("In this view", "not computed yet");
    report.sections.push_back({"Signs", "", std::move(signs)});

    Properties numbers;
    const auto add = [&](const char* name, double value, const std::string& why) {
        numbers.add(name, Value::exactly(value), why);
    };
    if (of.predicate == MapPredicate::kOrientation) {
        const detail::Determinant filter = detail::orient2d(a, b, c);
        add("As floats", detail::naive_orient2d<float>(a, b, c), "with coordinates rounded to floats");
        add("As doubles", detail::naive_orient2d<double>(a, b, c), hex_text(filter.value));
        add("Error bound", filter.error,
            std::fabs(filter.value) > filter.error ? "of the double, which exceeds it: its sign is proved"
                                                   : "of the double, which does not exceed it: exact integers decide");
        add("Exactly", exact::orient2d_rounded(a, b, c), "rounded once");
    } else {
        const detail::Determinant filter = detail::incircle(a, b, c, d);
        if (of.predicate == MapPredicate::kCircumcentre) {
            const auto circle = detail::naive_circle<double>(a, b, c, d);
            const auto in_floats = detail::naive_circle<float>(a, b, c, d);
            add("Radius² − distance², as floats", double(in_floats.radius2) - double(in_floats.distance2),
                "by the circumcentre, with coordinates rounded to floats");
            add("Radius² − distance², as doubles", circle.radius2 - circle.distance2, "by the circumcentre");
        }
        add("Determinant, as floats", detail::naive_incircle<float>(a, b, c, d), "with coordinates rounded to floats");
        add("Determinant, as doubles", filter.value, hex_text(filter.value));
        add("Error bound", filter.error,
            std::fabs(filter.value) > filter.error
                ? "of that determinant, which exceeds it: its sign is proved"
                : "of that determinant, which does not exceed it: exact integers decide");
        add("Exactly", exact::incircle_rounded(a, b, c, d), "the determinant, rounded once");
    }
    report.sections.push_back({"Determinant", "", std::move(numbers)});
}

Report MicroscopeLab::inspect(Element element) const {
    Report report;
    if (!context_ || element.kind != ElementKind::kPixel || element.id >= pixels() || element.part >= kMicroscopeViews)
        return report;
    const MovingPredicate& of = start_.of;
    const NumberPatch& patch = start_.patches[element.part];
    const uint32_t x = element.id % patch.width, y = element.id / patch.width;
    Properties place;
    place.add("Pixel", std::vector<int64_t>{x, y}, std::string("of the view ") + kMicroscopeViewNames[element.part]);
    if (!patch.has(x, y)) {
        place.add("Number", "none", "the line of numbers ends before");
        report.add(std::move(place));
        return report;
    }
    const Point at = patch.place(x, y);
    const std::string moving(1, static_cast<char>('a' + of.moving));
    place.add(moving + ".x", Value::exactly(at.x), hex_text(at.x));
    place.add(moving + ".y", Value::exactly(at.y), hex_text(at.y));
    report.add(std::move(place));
    add_signs(element.part, element.id, at, report);
    Properties others;
    for (uint32_t k = 0; k < of.point_count(); ++k)
        if (k != of.moving)
            others.add(name_of_point(k), place_text(of.points[k]),
                       hex_text(of.points[k].x) + ", " + hex_text(of.points[k].y));
    report.sections.push_back({"Points that stay", "", std::move(others)});
    for (uint32_t view = 0; view < kMicroscopeViews; ++view) {
        const double left = x - 0.5, low = y - 0.5;
        Highlight box =
            Highlight::polygon({{left, low, 0}, {left + 1, low, 0}, {left + 1, low + 1, 0}, {left, low + 1, 0}},
                               Role::kChosen, "pixel " + std::to_string(x) + ", " + std::to_string(y));
        box.part = view;
        report.highlights.push_back(std::move(box));
    }
    return report;
}

CheckReport MicroscopeLab::check() const {
    if (!context_ || state_.next <= kExact)
        return CheckReport::nothing("exact signs are not computed yet: nothing was checked");
    CheckReport report;
    const NumberPatch& patch = start_.patches[kExactView];
    const View<State> words = words_[kExactView].view(pixels());
    const uint64_t wrong = count_inexact_signs(*context_, start_.of, patch, words, "check.exact signs");
    report.passed = wrong == 0;
    report.sentence = wrong == 0 ? "exact signs: all " + with_commas(pixels()) +
                                       " pixels have the sign that the predicate gives there"
                                 : count_text(wrong, "pixel of the exact view has", "pixels of the exact view have") +
                                       " another sign than the predicate gives there";
    if (wrong == 0) return report;
    const std::vector<State> found = words_[kExactView].download();
    for (uint32_t pixel = 0; pixel < pixels() && report.failures.size() < kMostOfOneCode; ++pixel) {
        const uint32_t x = pixel % patch.width, y = pixel / patch.width;
        const State right = patch.has(x, y) ? word_of_sign(start_.of.exact(patch.place(x, y))) : 0;
        if (found[pixel] == right) continue;
        report.failures.push_back({"wrong-sign",
                                   "pixel " + std::to_string(x) + ", " + std::to_string(y) + " has a wrong exact sign",
                                   {{ElementKind::kPixel, pixel, kExactView}},
                                   {},
                                   {{double(x), double(y), 0}}});
    }
    report.failure_count = wrong;
    return report;
}

std::vector<ArrayInfo> MicroscopeLab::arrays() const {
    return {
        {"signs", "(height, width) exact signs, -1, 0 or 1, the lowest row first; 2: the pixel has no number"},
        {"double_signs", "(height, width) the same as doubles have it"},
        {"float_signs", "(height, width) the same as floats have it"},
        {"pixel_x", "(width) the x of every column in the exact view; no number where the line of numbers has ended"},
        {"pixel_y", "(height) the y of every row in the exact view; no number where the line of numbers has ended"}};
}

Array MicroscopeLab::array(const std::string& name) const {
    const NumberPatch& patch = start_.patches[kExactView];
    for (uint32_t view = 0; view < kMicroscopeViews; ++view) {
        if (name != kArrayNames[view]) continue;
        std::vector<int64_t> signs(pixels(), 2);
        const std::vector<State> words = words_[view].download();
        for (size_t i = 0; i < signs.size(); ++i)
            if (words[i]) signs[i] = sign_of_word(words[i]);
        return make_array(Array::Type::kInt64, {patch.height, patch.width}, signs);
    }
    if (name != "pixel_x" && name != "pixel_y")
        throw std::logic_error("the Predicate microscope has no array \"" + name + "\"");
    const bool is_x = name == "pixel_x";
    std::vector<double> numbers(is_x ? patch.width : patch.height, std::nan(""));
    for (uint32_t i = is_x ? patch.begin_x : patch.begin_y; i < (is_x ? patch.end_x : patch.end_y); ++i)
        numbers[i] = is_x ? patch.x_of(i) : patch.y_of(i);
    return make_array(Array::Type::kFloat64, {numbers.size()}, numbers);
}

const LabInfo& MicroscopeLab::info() const {
    static const LabInfo info = [] {
        LabInfo made{"microscope",
                     "Predicate microscope",
                     "Shows the sign of an orientation or in-circle determinant at neighbouring floating-point numbers "
                     "around a point, one pixel for each pair of them: as floats, as doubles, and exactly.",
                     "After L. Kettner, K. Mehlhorn, S. Pion, S. Schirra and C. Yap, Classroom examples of robustness "
                     "problems in geometric computations (2008), with exact signs beside the rounded ones, other "
                     "points than the paper's, and the in-circle determinant.",
                     {{"float", "One thread a pixel evaluates the determinant with floats and keeps its sign."},
                      {"double", "The same with doubles."},
                      {"exact",
                       "The determinant is evaluated without rounding at the ends of every piece of a row; where the "
                       "signs there differ, bisection finds the pixels where they change."},
                      {"compare", "Pixels are marked where floats or doubles have another sign than the exact one."},
                      {"adjust", "Parameters were changed, and the picture is that of the new ones."}},
                     {{"positive", "pixels where the sign that the pass computed is positive", true},
                      {"zero", "pixels where it is zero", true},
                      {"negative", "pixels where it is negative", true},
                      {"wrong floats", "pixels where floats have another sign than the exact one", true, true},
                      {"wrong doubles", "pixels where doubles have another sign than the exact one", true, true}}};
        made.edits = {Edit::Kind::kAdjust};
        made.inputs = {InputKind::kPoints, InputKind::kNothing};
        made.makes_triangles = false;
        made.example = "";
        made.steering = {"step_x", "step_y", "zoom_out"};
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_microscope_lab() { return std::make_unique<MicroscopeLab>(); }

}  // namespace flipscope
