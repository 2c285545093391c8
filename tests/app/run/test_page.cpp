// sanitizers: none
// Pages for browsers: what they hold of each step equals the scene, its legend and its reports.
#include "app/page_data.h"
#include "app/program.h"
#include "app/run/page.h"
#include "app/run/report.h"
#include "app/view/legend.h"
#include "geometry/generators.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;
using PlainJson = nlohmann::json;

namespace {

/// The classes of a layer's elements, counted by entry of its legend.
std::vector<uint64_t> class_counts(const PlainJson& data, const PlainJson& layer) {
    std::vector<uint64_t> counts(layer["legend"].size());
    std::vector<int64_t> classes = array_of_page(data, layer["classes"]);
    classes.resize(std::min<size_t>(classes.size(), layer["count"]));
    for (const int64_t one : classes)
        if (one >= 0) ++counts.at(static_cast<size_t>(one));
    return counts;
}

}  // namespace

TEST_CASE("pages: every step has its hash, and its layers the scene's elements, words and reports") {
    for (const std::string name : {"build", "flip", "serial", "strips"}) {
        CAPTURE(name);
        Context context(DeviceRequest::kCpu, 2);
        Timeline timeline(make_lab(name));
        timeline.reset(context, std::make_shared<const Geometry>(generate(parse_generator("uniform:40"))));
        Page page("Forty");
        std::vector<std::string> hashes;
        std::vector<std::vector<LayerCounts>> counted;
        std::vector<std::vector<size_t>> elements;
        do {
            const Scene scene = timeline.lab().scene();
            page.add({.scene = scene,
                      .inspectable = find_facet<Inspectable>(timeline.lab()),
                      .words = words_of_pass(timeline)});
            hashes.push_back(hash_text(timeline.lab().state_hash()));
            counted.push_back(count_legend(scene));
            elements.emplace_back();
            for (const Layer& layer : scene.layers)
                if (!layer.empty())
                    elements.back().push_back(
                        std::visit([](const auto& shape) { return size_t(shape.element_count()); }, layer.shape));
        } while (timeline.step());
        const PlainJson data = PlainJson::parse(page.json().dump());
        REQUIRE(data["steps"].size() == hashes.size());
        size_t explained = 0;
        for (size_t i = 0; i < hashes.size(); ++i) {
            CAPTURE(i);
            const PlainJson& step = data["steps"][i];
            CHECK(step["hash"] == hashes[i]);
            CHECK(step["position"] == i);
            const PlainJson& layers = step["views"][0]["layers"];
            REQUIRE(layers.size() == elements[i].size());
            for (size_t k = 0; k < layers.size(); ++k) {
                const PlainJson& layer = layers[k];
                CHECK(layer["count"] == elements[i][k]);
                if (!layer.contains("legend")) continue;
                std::vector<uint64_t> wanted;
                for (const LayerCounts& one : counted[i])
                    if (one.layer == layer["id"])
                        for (const auto& [entry, count] : one.entries) wanted.push_back(count);
                CHECK(class_counts(data, layer) == wanted);
            }
            for (const PlainJson& reports : step["reports"])
                for (const int64_t k : array_of_page(data, reports["ids"])) {
                    REQUIRE(static_cast<size_t>(k) < data["reports"].size());
                    ++explained;
                }
        }
        CHECK(explained > 40);
    }
}

TEST_CASE("pages: a run is exported with all its steps, and one of many elements as images") {
    const TemporaryFolder folder;
    const auto exported = [&](const std::string& points, const std::string& size) {
        const std::string file = (folder / "steps.html").string();
        const Outcome shown = run_program({"run", "flip", "--points", points, "--device", "cpu", "--export", file,
                                           "--steps", "2", "--size", size, "--quiet"});
        REQUIRE_MESSAGE(shown.status == 0, shown.err);
        return data_of_page(read_file(file));
    };
    const PlainJson small = exported("uniform:24", "320x200"), large = exported("uniform:9000", "320x200");
    CHECK(small["title"] == "Flip lab, uniform:24");
    REQUIRE(small["steps"].size() == 3);
    CHECK(small["steps"][1]["pass"] == "claim");
    CHECK(small["steps"][2]["views"].size() == 1);
    REQUIRE(large["steps"].size() == 3);
    CHECK_FALSE(large["steps"][1].contains("views"));
    CHECK(large["steps"][1]["images"].size() == 2);
    CHECK(large["steps"][1]["images"][0].get<std::string>().starts_with("data:image/png;base64,iVBOR"));
}
