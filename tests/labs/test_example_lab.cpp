#include "labs/example_lab.h"

#include "delaunay/inputs.h"
#include "test_support.h"

using namespace flipscope;

TEST_CASE("a lab of one file: stepped, finished, or continued from a snapshot, a run has the same states") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : {"uniform:0", "uniform:1", "duplicates:30", "uniform:60"}) {
        CAPTURE(text);
        const auto input = generated(text);
        TourLab stepped, finished, continued;
        for (TourLab* lab : {&stepped, &finished, &continued}) lab->reset(context, input);
        for (size_t i = 0; i < input->points.size() / 2; ++i) stepped.step();
        continued.load(stepped.save());
        CHECK(continued.state_hash() == stepped.state_hash());
        CHECK(stepped.check().checked == stepped.done());
        std::vector<StepResult> rounds;
        finished.finish([&](const StepResult& round) { rounds.push_back(round); });
        for (TourLab* lab : {&stepped, &continued}) {
            while (!lab->done()) lab->step();
            CHECK(lab->state_hash() == finished.state_hash());
            CHECK(lab->check().passed);
        }
        CHECK(rounds.size() == input->points.size());
        if (!rounds.empty()) CHECK(rounds.back().counters.at(0) == int64_t(input->points.size()));
        CHECK(finished.scene().layers.size() == 2);
    }
}
