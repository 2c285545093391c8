// What the user looks at closely: the inspected element and its history, a detection, the elements and the labels that
// the picture is to show. Looks them up on the worker's thread. The answers to clicks are in LabModel.
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

    /// Inspects the element under the probe. A newer request replaces one that waits.
    void inspect(const Probe& probe);
    /// Inspects the element that `find` returns on the worker's thread; an Error that it throws becomes a note. Returns
    /// the number of this request, as Inspection::request.
    uint64_t request_element(std::function<Element(const Lab&)> find);
    void close() { worker_.publisher().take_inspection({}); }

    /// Goes back along the timeline and forth again to collect what has happened to an element.
    void trace(const Element& element);
    /// The history of this element in this run; nullptr: it was not traced.
    const ElementHistory* history_of(const Element& element) const;
    /// Another run begins.
    void forget_history() { traced_.reset(); }

    /// Goes to the state of a detection and opens its detail view.
    void open_detection(size_t index);
    void close_detection() { worker_.publisher().close_detail_view(); }

    /// Marks these elements in the picture, until the next call. The worker looks them up when it is idle.
    void request_elements(std::vector<std::string> asked) { elements_.want(std::move(asked)); }
    struct FoundElement {
        std::string asked;
        Inspection found;  // with what explains it
    };
    /// The elements found so far in the present scene.
    const std::vector<FoundElement>& found_elements() const { return elements_.found(worker_.revision()); }
    /// Shows ids and names in these parts of the plane. The worker finds them when it is idle.
    void request_labels(std::vector<InView> shown) { labels_.want(std::move(shown)); }
    void drop_labels() { labels_ = {}; }
    /// The labels found so far in the present scene, for this view or for the previous one.
    const std::vector<ElementLabel>& labels() const { return labels_.found(worker_.revision()); }

    /// Whether elements or labels are still to be looked up.
    bool due() const;
    /// Starts a job for what is due, where playback has no goal.
    void start_due();

  private:
    /// A request, and its result in one revision of the scene.
    template <class Wanted, class Found>
    class LookUp {
      public:
        void want(std::vector<Wanted> wanted) { wanted_ = std::move(wanted); }
        const std::vector<Wanted>& wanted() const { return wanted_; }
        bool due(uint64_t revision) const {
            return !wanted_.empty() && (wanted_ != answered_ || revision != revision_);
        }
        void answer(const std::vector<Wanted>& wanted, std::vector<Found> found, uint64_t revision) {
            answered_ = wanted;
            found_ = std::move(found);
            revision_ = revision;
        }
        const std::vector<Found>& found(uint64_t revision) const {
            static const std::vector<Found> kNothing;
            return revision == revision_ ? found_ : kNothing;
        }

      private:
        std::vector<Wanted> wanted_, answered_;
        std::vector<Found> found_;
        uint64_t revision_ = 0;
    };
    void push(std::function<Element(const Lab&)> find, uint64_t request);
    void start_detail_view();
    void start_labels();
    void start_element_search();

    LabWorker& worker_;
    uint64_t requests_ = 0;  // look-ups so far
    std::optional<ElementHistory> traced_;
    size_t traced_edits_ = 0;  // edits on the timeline when it was traced
    LookUp<std::string, FoundElement> elements_;
    LookUp<InView, ElementLabel> labels_;
};

}  // namespace flipscope::app
