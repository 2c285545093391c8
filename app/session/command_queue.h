// What keys and panels have asked of the lab and what has not been done yet, in order. Commands that supersede each
// other are merged as they come, so that a busy lab is not left with a backlog of places the mouse went through. On the
// window's thread alone; executes nothing.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/run/run.h"
#include "app/session/edited_run.h"
#include "app/session/table_import.h"
#include "lab/lab.h"

namespace flipscope::app {

namespace command {

struct Load {
    std::string text;  // a generator, or a file's name
    bool is_file = false;
};
/// A table, with what the user says about its columns.
struct ReadTable {
    TableSource source;
    ReadOptions read;
};
/// What `read` makes on the worker's thread is opened; what it throws is said as an error.
struct Prepare {
    std::string title, source;  // source: what the input panel shows; empty: as the input says
    std::function<Run()> read;
    std::shared_ptr<const EditedRun> edited = {};  // edits that are made then
};
/// Makes the edits of a run again, and goes to where it stood, if `input` has been opened.
struct MakeEditsAgain {
    std::shared_ptr<const EditedRun> run;
    std::shared_ptr<const Geometry> input;
};
struct LeaveOut {
    enum class What { kFrames, kPoints } what;  // frames: the field or the tracks
};
struct StartOver {
    bool keeps_edits = false;  // on the points as they were edited by hand, where there are any
    bool to_end = false;       // and runs on to its end
};
struct OpenLab {
    std::string id;
    std::vector<Parameter> parameters = {};  // of that lab, to be set before it starts
    bool to_end = false;                     // and is run to its end
};
struct Verify {
    bool tells = true;  // the verdict is said
};
struct Inspect {
    Probe probe = {};
    /// Instead of what lies under the probe; throws Error where there is no such element.
    std::function<Element(const Lab&)> find = {};
    uint64_t request = 0;  // as Inspection::request
};
struct Grab {
    Probe probe;
};
struct MakeEdit {
    Edit edit;
};
struct RemoveAt {
    Probe probe;
};
/// Or released, where it is frozen.
struct FreezeAt {
    Probe probe;
};
struct LookAtDetection {};
/// A parameter that changes nothing but the picture.
struct ShowAs {
    std::string name, value;
};
/// What has happened to it so far is looked up along the timeline.
struct Trace {
    Element element;
};
/// Of the last manual edit.
struct Undo {};
struct Redo {};
/// A lab on an input in memory, run to its end, which is checked, or to another place.
struct OpenAtEnd {
    std::string lab;
    std::vector<Parameter> parameters;  // of that lab
    std::shared_ptr<const Geometry> input;
    std::string source;        // what the input panel shows
    std::string failure = {};  // the code of the failure that is chosen then; empty, or none of this code: none
    uint64_t at = UINT64_MAX;  // passes that are run; UINT64_MAX: all
    bool play = false;         // from there on
    std::vector<std::string> notes = {};  // said when it has been opened
    std::optional<Scenario> origin = {};  // as Opening::origin
};
/// What `find` returns on the worker's thread is said as good news, what it throws as an error.
struct AskLab {
    std::string title;
    std::function<std::string(const Lab&)> find;
};

}  // namespace command

using LabCommand =
    std::variant<command::Load, command::ReadTable, command::LeaveOut, command::StartOver, command::OpenLab,
                 command::Verify, command::Inspect, command::Grab, command::MakeEdit, command::RemoveAt,
                 command::FreezeAt, command::LookAtDetection, command::ShowAs, command::Trace, command::Undo,
                 command::Redo, command::AskLab, command::OpenAtEnd, command::Prepare, command::MakeEditsAgain>;

class CommandQueue {
  public:
    /// Behind the others. An Inspect takes the place of one that waits, a ShowAs of one of the same parameter. A drag
    /// that goes on, right after, goes to the latest place only; a stroke that goes on grows.
    void push(LabCommand command);
    /// Before the others, as it is.
    void push_front(LabCommand command) { waiting_.push_front(std::move(command)); }
    /// The next one; nullopt: none waits.
    std::optional<LabCommand> take();
    /// Those of this kind are asked for no more.
    template <class Kind>
    void withdraw() {
        std::erase_if(waiting_, [](const LabCommand& command) { return std::holds_alternative<Kind>(command); });
    }
    /// Edits that have been asked for and not been made.
    size_t edits() const {
        return static_cast<size_t>(std::count_if(waiting_.begin(), waiting_.end(), [](const LabCommand& command) {
            return std::holds_alternative<command::MakeEdit>(command) ||
                   std::holds_alternative<command::RemoveAt>(command) ||
                   std::holds_alternative<command::FreezeAt>(command);
        }));
    }
    void clear() { waiting_.clear(); }
    bool empty() const { return waiting_.empty(); }
    size_t size() const { return waiting_.size(); }

  private:
    bool merged(const Edit& edit);

    std::deque<LabCommand> waiting_;
};

}  // namespace flipscope::app
