// Parses nested lists and maps of numbers and texts as written by JSON, Python, NumPy, JavaScript, MATLAB, R and
// Mathematica, into one flat array of tokens. Commas, semicolons and blanks separate; an assigned value gets the
// variable's name; a call such as np.array(…) or Point(1, 2) is replaced by its arguments. Nothing is computed.
// io/structured_text.h interprets the values.
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
    /// kMissing: null, None, nan, inf. kName: the name of the next value in the list.
    enum class Kind : uint8_t { kNumber, kText, kMissing, kTruth, kList, kName };

    /// Value 0 is the list of all values in the text. Throws Error: "sites.json:7: the bracket [ of line 2 is not
    /// closed". `path`, for messages, and `text` must outlive it.
    Literals(const std::filesystem::path& path, std::string_view text, uint64_t first_line = 1);

    Kind kind(size_t i) const { return tokens_[i].kind; }
    bool is(size_t i, Kind kind) const { return tokens_[i].kind == kind; }
    /// Whether it is a list of named values.
    bool is_map(size_t i) const { return is(i, Kind::kList) && i + 1 < end(i) && is(i + 1, Kind::kName); }
    /// Whether it is a list of unnamed values.
    bool is_list(size_t i) const { return is(i, Kind::kList) && !is_map(i); }
    double number(size_t i) const { return std::bit_cast<double>(tokens_[i].payload); }  // also 0 and 1 for kTruth
    /// The index after the value, of the next one in its list. The items of list `i` begin at i + 1.
    size_t end(size_t i) const { return is(i, Kind::kList) ? tokens_[i].payload : i + 1; }
    /// Calls read(name, value) for each value of a list; `name` is kNone for unnamed values.
    template <class Read>
    void each(size_t list, const Read& read) const {
        find(list, [&](size_t name, size_t value) {
            read(name, value);
            return false;
        });
    }
    /// The first value of a list for which fits(name, value); kNone: there is none.
    template <class Fits>
    size_t find(size_t list, const Fits& fits) const {
        for (size_t i = list + 1; i < end(list); i = end(i)) {
            const size_t name = is(i, Kind::kName) ? i++ : kNone;
            if (fits(name, i)) return i;
        }
        return kNone;
    }
    static constexpr size_t kNone = static_cast<size_t>(-1);

    /// The raw text of a text or a name.
    std::string_view written(size_t i) const { return text_.substr(tokens_[i].offset, tokens_[i].payload); }
    /// The text with decoded escapes.
    std::string text(size_t i) const;
    /// "sites.json:7: ", with the line of the value.
    std::string where(size_t i) const { return where_of(tokens_[i].offset); }
    size_t size() const { return tokens_.size(); }

  private:
    struct Token {
        Kind kind : 8;
        uint64_t offset : 56;  // bytes from the start of the text
        uint64_t payload;      // a number's bits; the end of a list; the bytes of a text
    };
    struct Open {
        size_t token;      // of the list
        char close;        // the bracket that ends it
        bool call;         // the arguments of a call
        size_t row_begin;  // the first token of the row, if semicolons end rows
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
    bool call_ = false;            // the next parenthesis opens a call
    size_t subscript_end_ = 0;     // of the latest one
    size_t stray_ = kNone;         // a word or number outside brackets; or kNone
    bool has_statements_ = false;  // source text: words between values are ignored
};

}  // namespace flipscope::io
