// The table of all actions of the window. Keys, buttons, the command palette, the list of keys and the manual's table
// come from it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace flipscope::app {

struct Ui;

struct Action {
    enum class Held { kOnce, kRepeats, kRepeatsAtRest };  // while its key is held; the last: not while the lab works

    std::string id;                 // "pass-forward"
    std::vector<std::string> keys;  // at most two: "Ctrl+S", "→"; of the mouse or of another mode where `run` is empty
    std::string group;
    std::string help;                                    // "a pass forward"
    std::function<void(Ui&)> run;                        // only where it is enabled
    std::function<std::string(const Ui&)> refusal = {};  // why it does nothing now; empty: it is enabled
    Held held = Held::kOnce;
    std::string row = {};  // neighbours with the same text share this row in the list of keys; empty: `help`

    /// The sentence that the palette, a disabled button's tooltip and the message have in common; empty: it is enabled.
    std::string why_not(const Ui& ui) const { return refusal ? refusal(ui) : std::string(); }
};

/// The table. Of two actions with the same key the later is a special case, and goes first where it is enabled.
const std::vector<Action>& actions();
/// `id` must be one of them.
const Action& action(const std::string& id);
/// "A pass forward (→)".
std::string tip_of(const Action& action);
/// Runs it, or says why not.
void run_or_refuse(Ui& ui, const Action& action);

/// Actions with an argument, made of what there is now: labs, quantities to colour by, layers, files, lessons.
std::vector<Action> choices(const Ui& ui);

/// The list of keys.
struct KeyRow {
    std::vector<const Action*> actions;
    std::string help, group;
    /// What neighbouring keys begin with stands once.
    std::string keys(const std::string& between = "  ") const;
};
std::vector<KeyRow> key_rows();

}  // namespace flipscope::app
