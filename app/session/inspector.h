// Looks up on the worker's thread what the user inspects: an element and its history, a detection, highlighted
// elements, labels. LabModel holds the results of clicks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/lab_worker.h"
#include "instruments/element_history.h"
#include "lab/element_labels.h"

namespace flipscope::app {

class Inspector {
  public:
    explicit Inspector(LabWorker& worker) : worker_(worker) {}

    /// Inspects the element under the probe. Replaces a queued request.
    void inspect(const Probe& probe);
    /// Inspects the element that `find` returns on the worker's thread; its Errors become notes. Returns the request
    /// number, Inspection::request.
    uint64_t request_element(std::function<Element(const Lab&)> find);
    void close() { worker_.publisher().set_inspection({}); }

    /// Collects the history of an element by going back along the timeline and forward again.
    void trace(const Element& element);
    /// The history of this element in this run, or nullptr if not traced.
    const ElementHistory* history_of(const Element& element) const;
    /// For a new run.
    void forget_history() { traced_.reset(); }

    /// Goes to the state of a detection and opens its detail view.
    void open_detection(size_t index);
    void close_detection() { worker_.publisher().close_detail_view(); }

    /// Marks these elements in the picture until the next call. The worker looks them up when idle.
    void request_elements(std::vector<std::string> queries) { elements_.wanted = std::move(queries); }
    struct FoundElement {
        std::string query;
        Inspection found;  // with its report
    };
    /// The elements found in the present scene.
    const std::vector<FoundElement>& found_elements() const { return elements_.found(worker_.revision()); }
    /// The same of the element under the cursor, "at:0.5,0.25"; empty: none.
    void request_hovered(const std::string& query) {
        hovered_.wanted = query.empty() ? std::vector<std::string>{} : std::vector{query};
    }
    const std::vector<FoundElement>& hovered() const { return hovered_.found(worker_.revision()); }
    /// Shows ids and names in these parts of the plane. The worker looks them up when idle.
    void request_labels(std::vector<InView> shown) { labels_.wanted = std::move(shown); }
    void drop_labels() { labels_ = {}; }
    /// The labels found in the present scene, for this view or the previous one.
    const std::vector<ElementLabel>& labels() const { return labels_.found(worker_.revision()); }

    /// Whether a look-up is due.
    bool due() const;
    /// Starts a due look-up unless playback has a goal.
    void start_due();

  private:
    /// A request and its result for one revision of the scene.
    template <class Wanted, class Found>
    struct LookUp {
        std::vector<Wanted> wanted = {}, stored_for = {};
        std::vector<Found> stored = {};
        uint64_t revision = 0;  // of what is stored

        bool due(uint64_t now) const { return !wanted.empty() && (wanted != stored_for || revision != now); }
        const std::vector<Found>& found(uint64_t now) const {
            static const std::vector<Found> kNothing;
            return revision == now ? stored : kNothing;
        }
    };
    void push(std::function<Element(const Lab&)> find, uint64_t request);
    void start_detail_view();
    void start_labels();
    void start_element_search(LookUp<std::string, FoundElement>& elements);

    LabWorker& worker_;
    uint64_t requests_ = 0;  // number of the last look-up
    std::optional<ElementHistory> traced_;
    size_t traced_edits_ = 0;  // edits on the timeline at that time
    LookUp<std::string, FoundElement> elements_, hovered_;
    LookUp<InView, ElementLabel> labels_;
};

}  // namespace flipscope::app
