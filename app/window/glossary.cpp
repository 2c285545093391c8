#include "app/window/glossary.h"

#include <cctype>

#include "io/files.h"

namespace flipscope::app {

const std::vector<std::pair<std::string, std::string>>& glossary() {
    static const std::vector<std::pair<std::string, std::string>> words{
        {"worklist", "The edges that the next claim tests. All others are known to be legal."},
        {"claim",
         "An illegal edge claims both its triangles. Each triangle grants one claim; an edge flips if both its "
         "claims were granted."},
        {"stale incidence",
         "A flip moved an outer edge to the other triangle of the pair, but the incidence arrays are not updated yet. "
         "Repair updates them."},
        {"ghost",
         "An edge or triangle with a corner at infinity. Ghosts close the plane around the hull; they are not drawn."},
        {"perturbation rank",
         "A number for each point. If four points lie on one circle, the ranks choose the diagonal."},
        {"Hilbert index",
         "The position of a point along a Hilbert curve. The construction numbers its vertices in this order."},
        {"round",
         "One insertion into every triangle that contains points, with all flips that follow. In other labs: one "
         "iteration, or one time step."},
    };
    return words;
}

std::string meanings_in(const std::string& text) {
    const std::string all = io::lower_case(text);
    std::string meanings;
    for (const auto& [word, sentence] : glossary()) {
        const std::string wanted = io::lower_case(word);
        for (size_t at = all.find(wanted); at != all.npos; at = all.find(wanted, at + 1)) {
            const auto is_letter = [&](size_t i) {
                return i < all.size() && std::isalpha(static_cast<unsigned char>(all[i]));
            };
            const size_t end = at + wanted.size();
            if ((at > 0 && is_letter(at - 1)) || (is_letter(end) && !(all[end] == 's' && !is_letter(end + 1))))
                continue;
            meanings += (meanings.empty() ? "" : "\n") + word + ": " + sentence;
            break;
        }
    }
    return meanings;
}

}  // namespace flipscope::app
