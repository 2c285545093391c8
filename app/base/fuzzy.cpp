#include "app/base/fuzzy.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <sstream>

#include "io/files.h"

namespace flipscope::app {

namespace {

// Bytes beyond ASCII belong to letters.
bool is_in_word(char letter) { return (letter & 0x80) || std::isalnum(static_cast<unsigned char>(letter)); }

bool starts_word(const std::string& text, size_t at) { return at == 0 || !is_in_word(text[at - 1]); }

/// Whether the letters from `next` on follow at `at` or at the start of a later word.
bool follows(const std::string& word, size_t next, const std::string& text, size_t at) {
    if (next == word.size()) return true;
    for (size_t i = at; i < text.size(); ++i)
        if (text[i] == word[next] && (i == at || starts_word(text, i)) && follows(word, next + 1, text, i + 1))
            return true;
    return false;
}

/// Matches the beginnings of words, in order.
bool begins_words(const std::string& word, const std::string& text) {
    for (size_t at = text.find(word[0]); at != text.npos; at = text.find(word[0], at + 1))
        if (starts_word(text, at) && follows(word, 1, text, at + 1)) return true;
    return false;
}

int score_of_word(const std::string& word, const std::string& text) {
    constexpr int kStart = 300, kInside = 200, kBeginnings = 100, kWhole = 50;
    int best = 0;
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const size_t end = at + word.size();
        const bool whole = end == text.size() || !is_in_word(text[end]);
        best = std::max(best, starts_word(text, at) ? kStart + (whole ? kWhole : 0) : kInside);
    }
    return best == 0 && begins_words(word, text) ? kBeginnings : best;
}

}  // namespace

int fuzzy_score(const std::string& typed, const std::string& text) {
    const std::string searched = io::lower_case(text);
    std::istringstream words(io::lower_case(typed));
    int score = 1;
    for (std::string word; words >> word;) {
        const int found = score_of_word(word, searched);
        if (found == 0) return 0;
        score += found;
    }
    return score;
}

std::vector<size_t> fuzzy_ranking(const std::string& typed, const std::vector<std::string>& texts) {
    std::vector<int> scores;
    for (const std::string& text : texts) scores.push_back(fuzzy_score(typed, text));
    std::vector<size_t> found(texts.size());
    std::iota(found.begin(), found.end(), size_t{0});
    std::erase_if(found, [&](size_t i) { return scores[i] == 0; });
    if (typed.find_first_not_of(' ') == typed.npos) return found;
    std::ranges::stable_sort(found, [&](size_t a, size_t b) {
        return scores[a] != scores[b] ? scores[a] > scores[b] : texts[a].size() < texts[b].size();
    });
    return found;
}

}  // namespace flipscope::app
