// The serial construction: exact too, one point at a time, and fast enough to compare with.
#include "delaunay/constructions/serial.h"

#include "delaunay/runs.h"

using namespace flipscope;

TEST_CASE("serial: after every point the mesh is Delaunay, and stepping ends like finishing") {
    Context context(DeviceRequest::kCpu, 1);
    std::vector<Input> inputs = hard_inputs();
    inputs.push_back(generated("uniform:200"));
    for (const Input& input : inputs) {
        INFO(input->name);
        const auto lab = started(context, input, "serial");
        size_t wrong = 0, negative = 0, points = 0;
        while (!lab->done()) {
            const StepResult result = lab->step();
            if (result.ended < Level::kIteration || !lab->scene().mesh || ++points % 16) continue;
            const CheckReport report = check_mesh(context, *lab->scene().mesh);
            wrong += report.broken_references + report.inverted_triangles + report.illegal_edges + report.reflex_hull +
                     report.tied_edges;
            negative += count_negative(*lab->scene().mesh);
        }
        CHECK(wrong == 0);
        CHECK(negative == 0);
        CHECK(facet<Checkable>(*lab).check().passed);
        const auto whole = finished(context, input, "serial");
        CHECK(whole->state_hash() == lab->state_hash());
        CHECK(hash_of_states(*whole) == hash_of_states(*lab));
    }
}

TEST_CASE("serial: the work grows hardly faster than the points") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = lab_with("serial");
    lab->set_records_states(false);
    const std::vector<CounterInfo>& counters = lab->info().counters;
    const auto work_for = [&](const std::string& text) {
        int64_t work = 0;
        lab->reset(context, generated(text));
        lab->finish([&](const StepResult& round) {
            for (size_t k = 0; k < counters.size(); ++k)
                if (counters[k].name == "walked" || counters[k].name == "queued") work += round.counters[k];
        });
        return static_cast<double>(work);
    };
    for (const std::string name : {"uniform:", "clusters:", "grid:", "ring:"}) {
        const size_t n = case_count(4000);
        const double small = work_for(name + std::to_string(n)), large = work_for(name + std::to_string(16 * n));
        INFO(name, " ", small, " triangles and edges, sixteen times as many points: ", large);
        CHECK(small > static_cast<double>(n));
        CHECK(large < 40 * small);  // n log n: about 22; n²: 256
    }
}

TEST_CASE("serial: one flip at a time, it comes by the same states to the same triangulation") {
    Context context(DeviceRequest::kCpu, 1);
    std::vector<Input> inputs = hard_inputs();
    inputs.push_back(generated("uniform:200"));
    for (const Input& input : inputs) {
        INFO(input->name);
        const auto by_point = lab_with("serial"), by_flip = lab_with("serial", {"step=flip"});
        by_point->reset(context, input);
        by_flip->reset(context, input);
        uint64_t flips_of_points = 0, flips = 0;
        while (!by_point->done()) {
            StepResult whole = by_point->step();
            StepResult part = by_flip->step();
            CHECK(part.pass == whole.pass);
            if (whole.pass != SerialInsertion::kLegalise) {
                CHECK(part.counters == whole.counters);
                CHECK(part.ended == whole.ended);
                continue;
            }
            std::vector<int64_t> sum = part.counters;
            for (;;) {
                CHECK(part.counters[SerialInsertion::kFlipped] <= 1);
                if (part.ended >= Level::kIteration) break;
                CHECK(part.counters[SerialInsertion::kFlipped] == 1);
                CHECK(count_edges_in_state(*by_flip, kStateQueued) > 0);  // what is tested next is marked
                CHECK_THROWS_AS(by_flip->save(), std::logic_error);
                part = by_flip->step();
                CHECK(part.pass == SerialInsertion::kLegalise);
                for (size_t k = 0; k + 1 < sum.size(); ++k)
                    if (part.counters[k] != kNotCounted) sum[k] += part.counters[k];
            }
            sum.back() = part.counters.back();
            CHECK(sum == whole.counters);
            CHECK(part.ended == whole.ended);
            CHECK(part.next == whole.next);
            CHECK(by_flip->state_hash() == by_point->state_hash());
            CHECK(hash_of_states(*by_flip) == hash_of_states(*by_point));
            flips_of_points += static_cast<uint64_t>(whole.counters[SerialInsertion::kFlipped]);
            flips += static_cast<uint64_t>(sum[SerialInsertion::kFlipped]);
        }
        CHECK(by_flip->done());
        CHECK(flips == flips_of_points);
        CHECK(by_flip->state_hash() == by_point->state_hash());
        // It is finished in the same way during a point's flips, with and without reports of rounds.
        for (const bool told : {false, true}) {
            by_flip->reset(context, input);
            while (!by_flip->done() &&
                   !(by_flip->next_pass() == SerialInsertion::kLegalise && by_flip->step().ended == Level::kPass))
                if (!by_flip->done() && by_flip->next_pass() != SerialInsertion::kLegalise) by_flip->step();
            int64_t waiting = 0;
            by_flip->finish(told ? [&](const StepResult& round) { waiting = round.counters.back(); }
                                 : std::function<void(const StepResult&)>());
            CHECK(by_flip->state_hash() == by_point->state_hash());
            CHECK(waiting == 0);
        }
    }
}
