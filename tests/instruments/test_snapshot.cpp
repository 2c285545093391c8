#include "compute/snapshot.h"

#include <array>

#include "delaunay/inputs.h"
#include "geometry/generators.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;

TEST_CASE("snapshot: values come back, and never more or fewer than were put in") {
    Snapshot snapshot;
    const std::vector<uint32_t> put{1, 2, 3};
    put_values(snapshot, put.data(), put.size());
    put_values(snapshot, put.data(), 0);
    std::array<uint32_t, 4> got{9, 9, 9, 9};
    load_values(snapshot, 0, got.data(), 3);
    CHECK(got == std::array<uint32_t, 4>{1, 2, 3, 9});
    CHECK(load_vector<uint32_t>(snapshot, 0) == put);
    CHECK(load_vector<uint32_t>(snapshot, 1).empty());
    load_values(snapshot, 1, got.data(), 0);
    for (const size_t count : {size_t(0), size_t(2), size_t(4), SIZE_MAX, SIZE_MAX / 4 + 4}) {
        CHECK_THROWS_AS(load_values(snapshot, 0, got.data(), count), std::logic_error);
        CHECK(got == std::array<uint32_t, 4>{1, 2, 3, 9});  // and nothing is written
    }
    uint64_t wide = 0;
    CHECK_THROWS_WITH_AS(load_values(snapshot, 0, &wide, 1),
                         "a snapshot of another algorithm: block 0 has 12 bytes, not 1 times 8", std::logic_error);
    CHECK_THROWS_AS(load_vector<uint64_t>(snapshot, 0), std::logic_error);
    CHECK_THROWS_AS(load_values(snapshot, 2, &wide, 1), std::out_of_range);
}

TEST_CASE("snapshot: a lab refuses one whose blocks were made longer or shorter") {
    for (const RegistryEntry& entry : registry()) {
        CAPTURE(entry.id);
        Context context(DeviceRequest::kCpu, 1);
        const auto lab = entry.make();
        lab->reset(context, generated("uniform:40"));
        const Snapshot sound = lab->save();
        for (size_t block = 0; block < sound.blocks.size(); ++block) {
            CAPTURE(block);
            Snapshot longer = sound, shorter = sound;
            longer.blocks[block].resize(longer.blocks[block].size() + 3);
            CHECK_THROWS_AS(lab->load(longer), std::logic_error);
            if (shorter.blocks[block].empty()) continue;
            shorter.blocks[block].pop_back();
            CHECK_THROWS_AS(lab->load(shorter), std::logic_error);
        }
        lab->load(sound);
    }
}

TEST_CASE("snapshot: another run of the same input goes on from it, on any device and number of threads") {
    const size_t steps = std::max<size_t>(60, case_count(300));
    for (const RegistryEntry& entry : registry()) {
        const LabInfo info = entry.info();
        for (const char* text : {"", "uniform:90", "duplicates:60", "line:12", "uniform:0", "uniform:1", "uniform:2",
                                 "uniform:3", "grid:25", "quad:200", "torus-knot:300"}) {
            const auto input = std::make_shared<const Geometry>(*text ? generate(parse_generator(text)) : Geometry{});
            if (input->in_space() && !info.inputs.has(InputKind::kSurfaces)) continue;
            if (!*text && !info.inputs.has(InputKind::kNothing)) continue;
            if (*text && info.inputs.has(InputKind::kNothing)) continue;  // it makes its own
            INFO(entry.id, ": ", text);
            for (const uint32_t rounds : {0u, 1u, 3u}) {
                CAPTURE(rounds);
                Context first_context(DeviceRequest::kCpu, 1);
                const auto first = entry.make();
                first->reset(first_context, input);
                StepResult last;
                last.ended = Level::kRound;
                const auto at_rest = [&] { return last.ended >= Level::kRound && last.round >= rounds; };
                for (int most = 4000; most > 0 && !first->done() && !at_rest(); --most) last = first->step();
                if (!first->done() && last.ended < Level::kRound) continue;
                const Snapshot saved = first->save();
                const uint64_t hash = first->state_hash();
                const auto go_on = [&](Lab& lab) {
                    for (size_t most = steps; most > 0 && !lab.done(); --most) lab.step();
                    return lab.state_hash();
                };
                const uint64_t unbroken = go_on(*first);
                for (const DeviceUnderTest& device : devices_under_test()) {
                    if (device.request == DeviceRequest::kCuda && info.on_cpu_only) continue;
                    CAPTURE(device.name);
                    Context context(device.request, device.threads);
                    const auto second = entry.make();
                    second->set_records_states(rounds != 1);  // which the first one did
                    second->reset(context, input);
                    second->load(saved);
                    CHECK(second->state_hash() == hash);
                    CHECK(go_on(*second) == unbroken);
                }
            }
        }
    }
}
