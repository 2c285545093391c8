// The table of all actions of the window: the source of keys, buttons, the command palette, the key list and the
// manual's table.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace flipscope::app {

struct Ui;

struct Action {
    enum class Held {
        kOnce,
        kRepeats,
        kRepeatsAtRest
    };  // while its key is held; kRepeatsAtRest: only while the lab is idle

    std::string id;  // "pass-forward"
    std::vector<std::string>
        keys;  // at most two, such as "Ctrl+S" or "→"; without `run`: a mouse gesture or a key of another mode
    std::string group;
    std::string help;                                    // "a pass forward"
    std::function<void(Ui&)> run;                        // called only while the action is enabled
    std::function<std::string(const Ui&)> refusal = {};  // why the action is disabled now; empty: enabled
    Held held = Held::kOnce;
    std::string row = {};  // neighbours with the same text share this row in the list of keys; empty: `help`

    /// The reason shown by the palette, the tooltip of a disabled button and the message; empty: enabled.
    std::string why_not(const Ui& ui) const { return refusal ? refusal(ui) : std::string(); }
};

/// The table. When two actions share a key, the later one is the special case and wins while it is enabled.
const std::vector<Action>& actions();
/// Requires an id from the table.
const Action& action(const std::string& id);
/// "A pass forward (→)".
std::string tip_of(const Action& action);
/// Opens the panel of numbers at a section, such as "Curves".
void open_numbers(Ui& ui, const std::string& section);
/// Runs the action, or posts why it is disabled.
void run_or_refuse(Ui& ui, const Action& action);

/// Actions with an argument, built from the current labs, colour quantities, layers, files and lessons.
std::vector<Action> choices(const Ui& ui);

/// The list of keys.
struct KeyRow {
    std::vector<const Action*> actions;
    std::string help, group;
    /// The keys joined by `between`; a prefix that neighbours share is written once.
    std::string keys(const std::string& between = "  ") const;
};
std::vector<KeyRow> key_rows();

}  // namespace flipscope::app
