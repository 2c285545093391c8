// Nested lists and maps of numbers and texts as JSON, Python, NumPy, JavaScript, MATLAB, R and Mathematica write them,
// in one flat array of tokens. Commas, semicolons and blanks separate; what a statement assigns has its name; a call
// such as np.array(…) or Point(1, 2) is what stands between its parentheses. Nothing is computed. What the values mean
// is for io/structured_text.h.
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compute/error.h"

namespace flipscope::io {

class Literals {
  public:
    /// kMissing: null, None, nan, inf. kName: of the value that follows it in its list.
    enum class Kind : uint8_t { kNumber, kText, kMissing, kTruth, kList, kName };

    /// Value 0 is the list of all that stands in the text. Throws Error: "sites.json:7: the bracket [ of line 2 is not
    /// closed". `path` is for sentences and must stay, as must `text`.
    Literals(const std::filesystem::path& path, std::string_view text, uint64_t first_line = 1);

    Kind kind(size_t i) const { return tokens_[i].kind; }
    bool is(size_t i, Kind kind) const { return tokens_[i].kind == kind; }
    /// Whether the values of a list have names.
    bool is_map(size_t i) const { return is(i, Kind::kList) && i + 1 < end(i) && is(i + 1, Kind::kName); }
    /// Whether it is a list without names.
    bool is_list(size_t i) const { return is(i, Kind::kList) && !is_map(i); }
    double number(size_t i) const { return std::bit_cast<double>(tokens_[i].payload); }  // also 0 and 1 of a truth
    /// Behind the value: where the next one of its list is. The items of list `i` begin at i + 1.
    size_t end(size_t i) const { return is(i, Kind::kList) ? tokens_[i].payload : i + 1; }
    /// Calls read(name, value) for each value of a list; `name` is kNone where it has none.
    template <class Read>
    void each(size_t list, const Read& read) const {
        for (size_t i = list + 1; i < end(list); i = end(i)) {
            const size_t name = is(i, Kind::kName) ? i++ : kNone;
            read(name, i);
        }
    }
    static constexpr size_t kNone = static_cast<size_t>(-1);

    /// Of a text or a name, as it is written.
    std::string_view written(size_t i) const { return text_.substr(tokens_[i].offset, tokens_[i].payload); }
    /// The same with its escapes decoded.
    std::string text(size_t i) const;
    /// "sites.json:7: ", the line of the value.
    std::string where(size_t i) const { return where_of(tokens_[i].offset); }
    size_t size() const { return tokens_.size(); }

  private:
    struct Token {
        Kind kind : 8;
        uint64_t offset : 56;  // bytes from the start of the text
        uint64_t payload;      // a number's bits; where a list ends; how many bytes a text has
    };
    struct Open {
        size_t token;      // of the list
        char close;        // the bracket that ends it
        bool call;         // stands behind a name
        size_t row_begin;  // the first token of the row, where semicolons end rows
        bool has_rows;
    };

    void read();
    void open(char bracket);
    void skip_call();
    void skip_subscript();
    void skip_type();
    bool ends_matrix_row() const;
    bool holds_lists() const;
    void close(char bracket);
    void refuse_operation();
    void end_row();
    void read_string();
    void read_number();
    void read_word();
    void skip_line();
    void add(Kind kind, size_t offset, uint64_t payload);
    void add_name(size_t offset, uint64_t length);
    bool awaits_value() const { return tokens_.back().kind == Kind::kName; }
    void stray(size_t offset);
    bool at_word(size_t at) const;
    size_t behind_blanks(size_t at) const;
    std::string where_of(size_t offset) const;
    [[noreturn]] void fail(size_t offset, const std::string& what) const;
    std::string_view rest_of_word(size_t begin) const;

    const std::filesystem::path& path_;
    std::string_view text_;
    uint64_t first_line_;  // of the file, from 1
    size_t at_ = 0;
    std::vector<Token> tokens_;
    std::vector<Open> open_;
    bool call_ = false;            // the parenthesis that comes next stands behind a name
    size_t subscript_end_ = 0;     // behind the latest one
    size_t stray_ = kNone;         // where a word or number outside brackets is; kNone: nowhere
    bool has_statements_ = false;  // it is a program's text: words between its values mean nothing here
};

}  // namespace flipscope::io
