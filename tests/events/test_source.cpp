// Sources of the Events lab: the same on every device, resumed from a saved state, and droplets that stay apart and
// outside solids.
#include <algorithm>
#include <cmath>

#include "events/inputs.h"
#include "events/sources/source_droplets.h"
#include "geometry/generators.h"
#include "labs/events/source_words.h"
#include "particles/particle_source.h"
#include "voronoi/site_sets.h"
using namespace flipscope;

namespace {

using Kind = SourceParameters::Kind;

SourceParameters small(Kind kind, PeriodicAxes periodic = true) {
    SourceParameters parameters{.kind = kind};
    parameters.width = 150, parameters.height = 100;  // no multiples of a tile
    parameters.count = 40;
    parameters.speed = 0.3;
    parameters.posts = 2;
    parameters.periodic = periodic;
    return parameters;
}

/// One of every kind.
std::vector<SourceParameters> kinds() {
    std::vector<SourceParameters> all{small(Kind::kBubbles), small(Kind::kShear), small(Kind::kChannel),
                                      small(Kind::kFourRolls)};
    for (const auto vessel : {SourceParameters::kPosts, SourceParameters::kBox}) {
        SourceParameters emulsion = small(Kind::kEmulsion);
        emulsion.vessel = vessel;
        emulsion.count = 30;
        all.push_back(emulsion);
    }
    all.push_back(small(Kind::kParticles));
    return all;
}

std::vector<float> field_of(Source& source) { return source.field()->download(); }

std::unique_ptr<Source> made(Context& context, const SourceParameters& parameters) {
    return parameters.kind == Kind::kParticles ? make_particle_source(context, parameters)
                                               : make_source(context, parameters, nullptr);
}

/// The contents of a frame: values of the field, or the hash of its sites.
std::vector<float> frame_of(Source& source) {
    return source.field() ? field_of(source) : std::vector<float>{float(source.hash() >> 40)};
}

/// The least distance of two droplets over the sum of their radii.
double closest(const Droplets& droplets) {
    const std::vector<Point> at = droplets.places();
    double least = 1e9;
    for (size_t i = 0; i < at.size(); ++i)
        for (size_t j = 0; j < i; ++j) {
            const double apart = std::sqrt(droplets.lattice().squared_distance(at[i], at[j]));
            least = std::min(least, apart / (droplets.radii()[i] + droplets.radii()[j]));
        }
    return least;
}

/// All of them, as the lab says them.
std::string notes_of(const Source& source) {
    std::string text;
    for (const SourceNote& note : source.notes())
        text += (text.empty() ? "" : " ") + sentence_of(note, source.lattice());
    return text;
}

}  // namespace

TEST_CASE("sources: the same to the bit on every device and any number of threads, step by step or at once") {
    for (const SourceParameters& parameters : kinds()) {
        INFO("kind ", parameters.kind, ", vessel ", parameters.vessel);
        std::vector<float> expected;
        uint64_t hash = 0;
        on_every_device([&](Context& context) {
            const auto source = made(context, parameters);
            if (expected.empty()) {
                for (int k = 0; k < 30; ++k) source->advance(context, 1);
                expected = frame_of(*source);
                hash = source->hash();
            } else {
                CHECK(source->advance(context, 30) == 30);
                source->advance(context, 0);
            }
            CHECK(source->time() == 30);
            CHECK(!source->ended());
            CHECK(frame_of(*source) == expected);
            CHECK(source->hash() == hash);
        });
    }
}

TEST_CASE("sources: restored from a snapshot, they go on in the same way") {
    on_every_device([](Context& context) {
        for (const SourceParameters& parameters : kinds()) {
            INFO("kind ", parameters.kind, ", vessel ", parameters.vessel);
            const auto source = made(context, parameters);
            source->advance(context, 107);  // the profile of an emulsion has a sample every 100 steps
            const auto kept = frame_of(*source);
            const uint64_t hash = source->hash();
            Snapshot snapshot;
            put_values(snapshot, &hash, 1);  // of another source
            source->save(snapshot);
            const size_t blocks = snapshot.blocks.size();
            source->advance(context, 105);
            const auto later = frame_of(*source);
            const auto profile = source->profile().points;
            const auto other = made(context, parameters);
            CHECK(other->load(context, snapshot, 1) == blocks);
            CHECK(other->hash() == hash);
            CHECK(frame_of(*other) == kept);
            other->advance(context, 105);
            CHECK(frame_of(*other) == later);
            REQUIRE(other->profile().points.size() == profile.size());
            for (size_t k = 0; k < profile.size(); ++k) CHECK(other->profile().points[k].speed == profile[k].speed);
        }
    });
}

TEST_CASE("sources: bubbles drift by whole sites as they should, around the torus and out of the open box") {
    Context context(DeviceRequest::kCpu, 2);
    for (const PeriodicAxes periodic : kAllBorders) {
        CAPTURE(periodic);
        SourceParameters parameters = small(Kind::kBubbles, periodic);
        parameters.lifetime = 0;
        parameters.drift_x = 3, parameters.drift_y = -2;
        const auto source = make_bubbles(context, parameters);
        const auto before = field_of(*source);
        source->advance(context, 20);  // 60 to the right, 40 down
        const auto after = field_of(*source);
        const Lattice lattice = source->lattice();
        double worst = 0;
        for (uint32_t y = 0; y < lattice.height; ++y)
            for (uint32_t x = 0; x < lattice.width; ++x) {
                if ((!periodic.x && x < 60) || (!periodic.y && y + 40 >= lattice.height)) continue;
                const uint32_t from_x = (x + lattice.width - 60) % lattice.width, from_y = (y + 40) % lattice.height;
                worst = std::max(worst,
                                 std::fabs(double(after[lattice.pixel(x, y)]) - before[lattice.pixel(from_x, from_y)]));
            }
        CHECK(worst < 1e-4);
    }
}

TEST_CASE("sources: a periodic field goes on over its border, and changes little by little") {
    Context context(DeviceRequest::kCpu, 2);
    for (const PeriodicAxes periodic : {PeriodicAxes(true), PeriodicAxes(true, false), PeriodicAxes(false, true)}) {
        const auto source = make_bubbles(context, small(Kind::kBubbles, periodic));
        source->advance(context, 137);
        const Lattice lattice = source->lattice();
        const auto field = field_of(*source);
        double inside = 0, across = 0;
        for (uint32_t y = 0; y < lattice.height; ++y)
            for (uint32_t x = 0; x < lattice.width; ++x) {
                const float here = field[lattice.pixel(x, y)];
                const double right = std::fabs(here - field[lattice.pixel((x + 1) % lattice.width, y)]);
                const double up = std::fabs(here - field[lattice.pixel(x, (y + 1) % lattice.height)]);
                double& right_worst = x + 1 < lattice.width ? inside : across;
                double& up_worst = y + 1 < lattice.height ? inside : across;
                if (periodic.x || x + 1 < lattice.width) right_worst = std::max(right_worst, right);
                if (periodic.y || y + 1 < lattice.height) up_worst = std::max(up_worst, up);
            }
        CHECK(across <= 1.2 * inside);
        source->advance(context, 1);
        const auto next = field_of(*source);
        double change = 0;
        for (size_t i = 0; i < field.size(); ++i) change = std::max(change, std::fabs(double(next[i]) - field[i]));
        CHECK(change > 0);
        CHECK(change < 0.1);
    }
}

TEST_CASE("sources: about as many bubbles as were asked for, in every frame, for every size of lattice") {
    Context context(DeviceRequest::kCpu, 2);
    for (const int count : {100, 500})
        for (const PeriodicAxes periodic : kAllBorders) {
            SourceParameters parameters{.periodic = periodic, .count = count};
            const auto source = make_bubbles(context, parameters);
            for (int k = 0; k < 3; ++k) {
                source->advance(context, 1500);
                const size_t found = count_components(field_of(*source), source->lattice(), source->usual_threshold());
                CHECK(found > 0.6 * count);
                CHECK(found < 1.5 * count);
            }
        }
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 300}, {300, 1}, {16, 16}, {5, 7}})
        for (const PeriodicAxes periodic : kAllBorders) {
            SourceParameters parameters;
            parameters.width = width, parameters.height = height;
            parameters.periodic = periodic;
            const auto source = make_bubbles(context, parameters);
            source->advance(context, 100);
            const auto field = field_of(*source);
            CHECK(std::all_of(field.begin(), field.end(), [](float value) { return std::isfinite(value); }));
        }
}

TEST_CASE("sources: droplets stay apart, out of walls and posts, and each is one component of the field") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Kind kind : {Kind::kShear, Kind::kChannel, Kind::kFourRolls})
        for (const PeriodicAxes periodic : kAllBorders)
            for (const double packing : {0.5, 0.9, 1.1}) {
                INFO("kind ", int(kind), ", packing ", packing);
                SourceParameters parameters = small(kind, periodic);
                parameters.width = 260, parameters.height = 190;
                parameters.packing = packing;
                Droplets droplets(context, parameters, {});
                for (int k = 0; k < 4; ++k) {
                    CHECK(droplets.places().size() == 40);
                    CHECK(closest(droplets) > (packing > 1 ? 0.6 : 0.75));
                    const std::vector<Point> at = droplets.places();
                    for (size_t i = 0; i < at.size(); ++i) {
                        const Point freed = droplets.vessel().freed(at[i], 0.999 * droplets.radii()[i]);
                        CHECK(freed == at[i]);
                        CHECK(!droplets.vessel().blocked(at[i]));
                    }
                    const auto field = field_of(droplets);
                    CHECK(count_components(field, droplets.lattice(), droplets.usual_threshold()) == 40);
                    size_t painted = 0;
                    if (const View<const uint8_t> blocked = droplets.obstacles())
                        for (size_t i = 0; i < field.size(); ++i)
                            if (blocked[i]) painted += field[i] != 0;
                    CHECK(painted == 0);
                    droplets.advance(context, 150);
                }
            }
}

TEST_CASE("sources: droplets start from points that are given, equal and collinear ones too") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : {"uniform:30", "grid:25", "copies:12", "line:20", "uniform:1"}) {
        CAPTURE(text);
        std::vector<Point> start = {{7, 7}, {7, 7}, {7, 7}};
        if (std::string(text) != "copies:12") start = generate(parse_generator(text)).points;
        SourceParameters parameters = small(Kind::kChannel);
        parameters.spread = 0;
        Droplets droplets(context, parameters, start);
        CHECK(droplets.places().size() == start.size());
        droplets.advance(context, 300);
        CHECK(count_components(field_of(droplets), droplets.lattice(), 0.5) == start.size());
    }
}

TEST_CASE("sources: the flow that is prescribed in a channel stands still at every wall, posts and grooves included") {
    Context context(DeviceRequest::kCpu, 1);
    for (const int posts : {0, 2, 5})
        for (const double plug : {0., 0.3, 0.95}) {
            INFO("posts ", posts, ", plug ", plug);
            SourceParameters parameters = small(Kind::kChannel);
            parameters.posts = posts;
            parameters.plug = plug;
            const Droplets droplets(context, parameters, {});
            const Vessel& vessel = droplets.vessel();
            const Flow& flow = droplets.flow();
            double fastest = 0, sum = 0;
            constexpr int kPlaces = 64;
            for (int i = 0; i < kPlaces; ++i) {
                const double y = vessel.low_y + (i + 0.5) / kPlaces * (vessel.high_y - vessel.low_y);
                CHECK(flow.at({vessel.high_x, y}).y == 0);
                CHECK(flow.at({vessel.low_x, y}).y == 0);
                for (int k = 0; k < kPlaces; ++k) {
                    const Point at{vessel.low_x + (k + 0.5) / kPlaces * (vessel.high_x - vessel.low_x), y};
                    const double speed = flow.at(at).y;
                    sum += speed / (kPlaces * kPlaces);
                    fastest = std::max(fastest, speed);
                    if (posts > 0 && at.x < vessel.low_x + vessel.post_depth) CHECK(speed == 0);
                }
                if (posts > 0) CHECK(flow.at({vessel.low_x + vessel.post_depth, y}).y == doctest::Approx(0));
            }
            CHECK(sum == doctest::Approx(parameters.speed));  // over the whole room across
            const double middle = 0.5 * (vessel.low_x + (posts > 0 ? vessel.post_depth : 0) + vessel.high_x);
            CHECK(flow.at({middle, 1}).y == doctest::Approx(fastest).epsilon(0.01));
        }
}

TEST_CASE("sources: droplets at a wall of the channel are not dragged along by those that pass them") {
    Context context(DeviceRequest::kCpu, 2);
    SourceParameters parameters = small(Kind::kChannel);
    parameters.width = 300, parameters.height = 200;
    parameters.count = 300;
    parameters.posts = 0;
    Droplets droplets(context, parameters, {});
    droplets.advance(context, 2000);
    const FlowProfile profile = droplets.profile();
    const Flow& flow = droplets.flow();
    const Vessel& vessel = droplets.vessel();
    size_t near = 0;
    for (const ProfilePoint& point : profile.points) {
        if (std::fabs(point.place) < 0.46) continue;
        ++near;
        const double x = vessel.low_x + (point.place + 0.5) * (vessel.high_x - vessel.low_x);
        CAPTURE(point.place);
        CHECK(point.speed * profile.middle < flow.at({x, 0}).y + 0.12 * flow.speed);
    }
    CHECK(near >= 2);
}

TEST_CASE("sources: a four-roll mill with walls stands still at them, and nothing is pressed together in it") {
    Context context(DeviceRequest::kCpu, 1);
    for (const PeriodicAxes periodic : kAllBorders) {
        CAPTURE(periodic);
        const Droplets droplets(context, small(Kind::kFourRolls, periodic), {});
        const Vessel& vessel = droplets.vessel();
        const Flow& flow = droplets.flow();
        const double wide = vessel.high_x - vessel.low_x, tall = vessel.high_y - vessel.low_y, h = 1e-4;
        double fastest = 0, divergence = 0, at_walls = 0;
        for (int i = 1; i < 50; ++i) {
            for (const double end : {0., 1.}) {
                const Point u = flow.at({vessel.low_x + end * wide, vessel.low_y + 0.02 * i * tall});
                const Point v = flow.at({vessel.low_x + 0.02 * i * wide, vessel.low_y + end * tall});
                at_walls = std::max({at_walls, std::fabs(u.x), std::fabs(u.y), std::fabs(v.x), std::fabs(v.y)});
            }
            for (int k = 1; k < 50; ++k) {
                const Point p{vessel.low_x + (0.02 * k + 0.003) * wide, vessel.low_y + (0.02 * i + 0.003) * tall};
                const Point u = flow.at(p);
                fastest = std::max({fastest, std::fabs(u.x), std::fabs(u.y)});
                const double dx = flow.at({p.x + h, p.y}).x - flow.at({p.x - h, p.y}).x;
                const double dy = flow.at({p.x, p.y + h}).y - flow.at({p.x, p.y - h}).y;
                divergence = std::max(divergence, std::fabs(dx + dy) / (2 * h));
            }
        }
        CHECK(fastest > 0.3);
        CHECK(divergence < 1e-6);
        CHECK((at_walls < 1e-9) == !periodic.any());
        if (periodic.any()) CHECK(at_walls > 0.1);
        // Of a wall alone: still there, and the same on both sides of a seam.
        for (int i = 1; i < 50; ++i) {
            const Point low{vessel.low_x + 0.02 * i * wide, vessel.low_y},
                left{vessel.low_x, vessel.low_y + 0.02 * i * tall};
            const Point at_low = flow.at(low), at_left = flow.at(left);
            if (!periodic.y) CHECK(std::hypot(at_low.x, at_low.y) < 1e-9);
            if (!periodic.x) CHECK(std::hypot(at_left.x, at_left.y) < 1e-9);
        }
    }
}

TEST_CASE("sources: what cannot be had as it was asked for is told, and nothing else") {
    struct Case {
        Kind kind;
        void (*change)(SourceParameters&);
        const char* note;  // or its beginning
    };
    Context context(DeviceRequest::kCpu, 1);
    for (const Case& one :
         {Case{Kind::kChannel, [](SourceParameters&) {}, ""},
          {Kind::kChannel, [](SourceParameters& p) { p.post_height = 0.003; }, "There are no posts: "},
          {Kind::kChannel, [](SourceParameters& p) { p.post_height = 0.003, p.posts = 0; }, ""},
          {Kind::kChannel, [](SourceParameters& p) { p.posts = 100; }, "There is no room for 100 posts"},
          {Kind::kBubbles, [](SourceParameters&) {}, ""},
          {Kind::kBubbles, [](SourceParameters& p) { p.width = 4096, p.height = 16, p.count = 10; }, "bubbles form"}}) {
        SourceParameters parameters = small(one.kind);
        one.change(parameters);
        const std::string notes = notes_of(*make_source(context, parameters, nullptr));
        CHECK_MESSAGE((*one.note ? has(notes, one.note) : notes.empty()), notes);
    }
}

TEST_CASE("sources: a packing that cannot be reached is told, with the one that was reached") {
    Context context(DeviceRequest::kCpu, 1);
    for (const Kind kind : {Kind::kShear, Kind::kChannel, Kind::kFourRolls, Kind::kEmulsion}) {
        CAPTURE(int(kind));
        SourceParameters parameters = small(kind);
        parameters.posts = 0;
        parameters.packing = 0.8;
        const auto fits = make_source(context, parameters, nullptr);
        CHECK(notes_of(*fits).empty());
        CHECK(fits->packing().value() == doctest::Approx(0.8).epsilon(0.1));
        parameters.count = 5;
        const auto capped = make_source(context, parameters, nullptr);
        REQUIRE(capped->notes().size() == 1);
        CHECK(capped->notes()[0].kind == SourceNote::Kind::kPackingReduced);
        CHECK(capped->notes()[0].asked == 0.8);
        CHECK(capped->notes()[0].found == capped->packing());
        CHECK(capped->notes()[0].count == 5);
        CHECK(capped->packing().value() < 0.5);
        CHECK(capped->packing().value() > 0.05);
    }
}

TEST_CASE("sources: too many droplets, and too small a lattice for any, are refused with a sentence") {
    Context context(DeviceRequest::kCpu, 1);
    SourceParameters parameters = small(Kind::kShear);
    parameters.count = 5000;
    CHECK_THROWS_WITH_AS(Droplets(context, parameters, {}),
                         doctest::Contains("take fewer droplets or a larger lattice"), Error);
    parameters.width = 20;
    CHECK_THROWS_WITH_AS(Droplets(context, parameters, {}), doctest::Contains("32 × 32 pixels or more"), Error);
    parameters.width = 0;
    CHECK_THROWS_WITH_AS(make_bubbles(context, parameters), doctest::Contains("1 to 16384 pixels"), Error);
}

TEST_CASE("sources: a recording shows its frames one after the other, and then it ends") {
    Context context(DeviceRequest::kCpu, 1);
    auto stack = std::make_shared<FieldStack>(FieldStack{"film", 2, 1, {0, 8, 1, 2, 3, 4}});
    auto input = std::make_shared<Geometry>();
    input->field = stack;
    const auto source = make_source(context, {}, input);
    CHECK(source->lattice() == Lattice{2, 1, false});
    CHECK(field_of(*source) == std::vector<float>{0, 8});
    CHECK(source->usual_threshold() == 4);
    CHECK(source->advance(context, 1) == 1);
    CHECK(field_of(*source) == std::vector<float>{1, 2});
    Snapshot snapshot;
    source->save(snapshot);
    CHECK(!source->ended());
    CHECK(source->advance(context, 5) == 1);
    CHECK(source->time() == 2);
    CHECK(source->ended());
    CHECK(source->advance(context, 5) == 0);
    CHECK(source->load(context, snapshot, 0) == 1);
    CHECK(field_of(*source) == std::vector<float>{1, 2});
    auto empty = std::make_shared<FieldStack>(FieldStack{"none", 2, 1, {}});
    CHECK_THROWS_WITH_AS(make_recording(context, empty, {}), "none: has no frames", Error);
}

TEST_CASE("sources: tracks lie on the lattice in their shape, keep their names, and know where they were") {
    Context context(DeviceRequest::kCpu, 1);
    auto tracks = std::make_shared<Tracks>(
        Tracks{"t.csv", {0.5, 2.5}, {0, 3, 5}, {4, 5, 9, 4, 9}, {{0, 0}, {1000, 0}, {0, 100}, {0, 1}, {5, 100}}});
    auto input = std::make_shared<Geometry>();
    input->tracks = tracks;
    const auto source = make_source(context, {}, input);
    CHECK(source->field() == nullptr);
    CHECK(source->time() == 0.5);
    CHECK(source->names() == std::vector<int64_t>{4, 5, 9});
    const Lattice lattice = source->lattice();
    CHECK(!lattice.periodic.any());
    CHECK(lattice.width > 2 * lattice.height);
    REQUIRE(source->sites().count == 3);
    for (uint32_t i = 0; i < 3; ++i) {
        const Point site = source->sites()[i];
        CHECK(site.x >= 0);
        CHECK(site.x <= lattice.width - 1);
        CHECK(site.y >= 0);
        CHECK(site.y <= lattice.height - 1);
        CHECK(source->units()->as_given(site).x == doctest::Approx(tracks->places[i].x));
        CHECK(source->units()->as_given(site).y == doctest::Approx(tracks->places[i].y));
    }
    CHECK(source->advance(context, 1) == 1);
    CHECK(source->time() == 2.5);
    CHECK(source->names() == std::vector<int64_t>{4, 9});
    CHECK(source->sites().count == 2);
    CHECK(source->ended());
    auto point = std::make_shared<Tracks>(Tracks{"one", {0}, {0, 1}, {1}, {{3, 3}}});
    CHECK(make_tracks_source(context, point, {})->sites().count == 1);
    auto nobody = std::make_shared<Tracks>(Tracks{"none", {0}, {0, 0}, {}, {}});
    CHECK_THROWS_WITH_AS(make_tracks_source(context, nobody, {}), "none: has no points", Error);
}

TEST_CASE("sources: droplets that do not fit between two posts stay out of there, and are not thrown along the wall") {
    Context context(DeviceRequest::kCpu, 2);
    SourceParameters parameters = small(Kind::kChannel);
    parameters.width = 128, parameters.height = 96;
    parameters.posts = 6;
    parameters.speed = 0.05;
    Droplets droplets(context, parameters, {});
    CHECK(notes_of(droplets) ==
          "Droplets wider than 11.2 pixels do not fit between two posts, and stay in front of them.");
    for (int k = 0; k < 4; ++k) {
        const double face = droplets.vessel().low_x + droplets.vessel().post_depth;
        for (size_t i = 0; i < droplets.radii().size(); ++i)
            if (2 * droplets.radii()[i] > 11.2) CHECK(droplets.places()[i].x >= face);
        droplets.advance(context, 100);
    }
    for (const ProfilePoint& point : droplets.profile().points) CHECK(std::fabs(point.speed) < 3);
}
