// Pages for browsers: the steps of a run or of a lesson in one HTML file that needs nothing else. A step is its scenes
// and reports as JSON, with arrays and texts stored once and arrays as differences; assets/page/page.js draws it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/run/report_json.h"
#include "app/view/camera.h"
#include "instruments/timeline.h"
#include "lab/element_labels.h"
#include "lab/lab.h"

namespace flipscope::app {

/// What a step of a page shows.
struct PageStep {
    const Scene& scene;                        // in its colours; perhaps after views beside it
    size_t views_beside = 0;                   // how many views precede those of the lab
    DisplayOptions display = {};               // at first
    std::vector<Highlight> highlights = {};    // drawn at first
    std::vector<Highlight> answer = {};        // drawn with the answer to the question in `words`
    std::vector<ElementLabel> labels = {};     //
    const Inspectable* inspectable = nullptr;  // explains its elements; nullptr: they are not explained
    ViewAxes view = {};                        // of surfaces
    /// Further keys of the step: "why", "caption", "question", "pass", "counters", "hash", … as page.js reads them.
    Json words = Json::object();
    /// Light and dark PNG in place of a scene with too many elements.
    std::vector<std::string> images = {};
};

class Page {
  public:
    /// Elements that a step can show as such; those of larger scenes are shown as an image.
    static constexpr size_t kMostElements = 20000;
    /// Steps of a run that a page shows; of longer runs, the first ones.
    static constexpr size_t kMostSteps = 500;
    static size_t element_count(const Scene& scene);
    static bool shows_elements(const Scene& scene) { return element_count(scene) <= kMostElements; }

    explicit Page(std::string title) : title_(std::move(title)) {}
    /// Reads buffers and inspects elements: requires the lease. Waits for the device.
    void add(const PageStep& step);
    size_t size() const { return steps_.size(); }

    /// All that the page shows.
    Json json();
    /// What has been added since the last call, or json(). `in_memory`: arrays as [address, count] of 32-bit numbers,
    /// which stay where they are as long as the page exists.
    Json added(bool in_memory = false);
    /// The report of an element of a step, as those in json(). Its texts and styles are added to the page.
    Json explain(const PageStep& step, const Element& element);
    /// The whole page.
    std::string html();

  private:
    struct Plane;  // of a view: how places become whole numbers
    struct ViewWriter;

    size_t add_array(std::vector<int32_t> numbers);
    size_t add_text(const std::string& text);
    size_t add_style(LegendEntry::Element element, Role role, uint32_t number = 0, float strength = 1);
    Json json_of(const SceneView& view, const Plane& plane);
    Json json_of(const std::vector<Highlight>& highlights, const std::vector<Plane>& planes);
    static std::vector<Plane> planes_of(const PageStep& step);
    Json report_json(const PageStep& step, const std::vector<Plane>& planes, const Element& element);
    Json reports_of(const PageStep& step, const std::vector<Plane>& planes);

    std::string title_;
    Json steps_ = Json::array(), styles_ = Json::array(), reports_ = Json::array();
    std::map<std::vector<int32_t>, size_t> array_ids_;
    std::vector<const std::vector<int32_t>*> arrays_;
    std::vector<std::string> texts_;
    std::unordered_map<std::string, size_t> text_ids_, style_ids_, report_ids_;
    size_t report_bytes_ = 0;
    struct Sent {
        size_t steps = 0, arrays = 0, texts = 0, styles = 0, reports = 0;
    } sent_;  // by added()
};

/// The pass that a step has just made: "pass", "sentence", "counters", "position" and "hash", for PageStep::words.
Json words_of_pass(const Timeline& timeline);

}  // namespace flipscope::app
