#include "compute/suggest.h"

#include <algorithm>
#include <numeric>

namespace flipscope {

namespace {

/// The number of insertions, deletions, replacements and transpositions that turn a into b.
size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<size_t> older(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next[j] = std::min(next[j], older[j - 2] + 1);
        }
        std::swap(older, row);
        std::swap(row, next);
    }
    return row.back();
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
    std::string best;
    size_t least = std::max<size_t>(2, word.size() / 3) + 1;  // with more differences it is another word
    for (const auto& candidate : known) {
        if (word.size() >= 2 * candidate.size()) continue;  // at least as many differences as letters
        const size_t distance = edit_distance(word, candidate);
        if (distance >= least || distance >= candidate.size()) continue;
        least = distance;
        best = candidate;
    }
    return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
    const std::string nearest = nearest_word(std::string(word.substr(0, 64)), known);
    return (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?") + " (known: " + list + ")";
}

}  // namespace flipscope
