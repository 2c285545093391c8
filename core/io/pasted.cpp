#include "io/pasted.h"

#include <algorithm>
#include <filesystem>

#include "compute/printable.h"
#include "compute/text.h"
#include "io/parse.h"
#include "io/structured_text.h"

namespace flipscope {

namespace {

const std::filesystem::path kPasted = "pasted";  // in messages

/// The numbers of a single line or column with a line for each point: "0 0, 10 0" by its commas, if all parts have two
/// numbers or all have three, and "0 0 10 0" in pairs. nullopt: another text.
std::optional<std::string> in_rows(std::string_view text) {
    std::vector<std::string_view> words, blocks;  // blocks: between blanks
    std::vector<size_t> parts;                    // numbers between commas
    size_t lines = 0;
    while (!text.empty()) {
        std::string_view line = io::take_until(text, '\n');
        line = line.substr(0, std::min(line.find('#'), line.find("//")));
        io::split_words(line, blocks);
        lines += !blocks.empty();
        while (!line.empty()) {
            std::string_view part = line.substr(0, line.find_first_of(",;|"));
            line.remove_prefix(std::min(part.size() + 1, line.size()));
            const size_t before = words.size();
            for (part = io::trimmed(part); !part.empty();) words.push_back(io::take_word(part));
            if (words.size() > before) parts.push_back(words.size() - before);
        }
        if (lines > 1 && words.size() > lines) return std::nullopt;
    }
    for (const std::string_view word : words)
        if (lines == 1 && io::is_name_letter(word.front()) && word.find_first_of("=:") == word.npos)
            throw Error("expected coordinates, found " + excerpt(word));
    if (words.size() < (lines == 1 ? 4u : 2u)) return std::nullopt;
    const auto may_be_decimal = [](std::string_view block) {
        return std::ranges::count(block, ',') == 1 && block.find_first_of(".;") == block.npos &&
               io::is_decimal_digit(block.front()) && io::is_decimal_digit(block.back());
    };
    if (lines == 1 && blocks.size() > 1 && std::ranges::all_of(blocks, may_be_decimal))
        throw Error(excerpt(blocks[0]) +
                    " may be a number with a decimal comma or a point; put a semicolon between x and y");
    const bool by_parts = parts[0] <= 3 && std::ranges::count(parts, parts[0]) == std::ssize(parts) && parts[0] > 1;
    const size_t stride = by_parts ? parts[0] : 2;
    if (words.size() % stride != 0)
        throw Error("it contains " + std::to_string(words.size()) + " numbers, an odd count: the last x has no y");
    std::string rows;
    for (size_t i = 0; i < words.size(); ++i) rows.append(words[i]).append((i + 1) % stride == 0 ? "\n" : " ");
    return rows;
}

}  // namespace

std::optional<TableLayout> pasted_table(std::string_view text, const ReadOptions& options) {
    if (options.empty() && io::looks_like_structured_text(text)) return std::nullopt;
    try {
        std::vector<std::string> notes;
        TableLayout layout = io::layout_of({kPasted, io::FileBytes(std::string(text)), options, notes});
        const bool rows = layout.columns.size() > 2 && layout.first_rows.size() > 1;
        if (layout.has_header || rows || !options.empty()) return layout;
    } catch (const Error&) {
        if (!options.empty()) throw;
    }
    return std::nullopt;
}

Geometry read_pasted(std::string_view text, std::vector<std::string>* notes, const ReadOptions& options,
                     TableLayout* layout) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::vector<std::string> unread_notes;
    std::vector<std::string>& all_notes = notes ? *notes : unread_notes;
    const bool is_table = pasted_table(text, options).has_value();
    const bool is_structured = !is_table && io::looks_like_structured_text(text);
    const std::optional<std::string> rows = is_table || is_structured ? std::nullopt : in_rows(text);
    const io::FileBytes bytes{rows ? *rows : std::string(text)};
    const io::InputFile file{kPasted, bytes, options, all_notes, is_table ? layout : nullptr};
    Geometry geometry = is_structured ? io::read_structured_text(file) : io::read_table(file);
    io::use_radius_column(geometry, file);
    geometry.name = geometry.tracks ? "pasted" : "pasted: " + count_text(geometry.points.size(), "point", "points");
    return geometry;
}

}  // namespace flipscope
