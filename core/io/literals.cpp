#include "io/literals.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/cancel.h"
#include "io/parse.h"

namespace flipscope::io {
namespace {

constexpr size_t kDeepest = 64;  // brackets within brackets

constexpr std::string_view kMissingWords[] = {"null", "None", "nan",      "NaN",       "NAN", "NA",  "<NA>", "inf",
                                              "Inf",  "INF",  "Infinity", "undefined", "nil", "NaT", "NULL"};
constexpr std::string_view kSilentWords[] = {"new", "const", "let", "var", "return", "export", "default"};

/// Calls that are replaced by their arguments.
constexpr std::string_view kKnownCalls[] = {
    "array",   "asarray",   "tensor",     "list",   "tuple",   "dict",        "deque",   "c",      "rbind",
    "cbind",   "frame",     "tibble",     "float",  "float16", "float32",     "float64", "double", "int",
    "int8",    "int16",     "int32",      "int64",  "uint8",   "uint16",      "uint32",  "uint64", "longlong",
    "vec2",    "vec3",      "vec2f",      "float2", "double2", "float3",      "double3", "point",  "points",
    "complex", "structure", "complex128", "of",     "asList",  "masked_array"};

/// "np.array" is known, "np.random.rand" is not, and "Point2D" may be a class.
bool is_known_call(std::string_view name) {
    const size_t dot = name.find_last_of(".:");
    const std::string_view last = dot == name.npos ? name : name.substr(dot + 1);
    return is_among(last, kKnownCalls) || (!last.empty() && last.front() >= 'A' && last.front() <= 'Z');
}

}  // namespace

Literals::Literals(const std::filesystem::path& path, std::string_view text, uint64_t first_line)
    : path_(path), text_(text), first_line_(first_line) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    add(Kind::kList, 0, 0);
    read();
    if (awaits_value()) tokens_.pop_back();
    tokens_[0].payload = tokens_.size();
}

std::string Literals::where_of(size_t offset) const {
    return line_place(path_, first_line_ + static_cast<uint64_t>(std::ranges::count(text_.substr(0, offset), '\n')));
}

void Literals::fail(size_t offset, const std::string& what) const { throw Error(where_of(offset) + what); }

void Literals::add(Kind kind, size_t offset, uint64_t payload) { tokens_.push_back({kind, offset, payload}); }

void Literals::add_name(size_t offset, uint64_t length) {
    if (awaits_value()) {
        if (!open_.empty()) fail(offset, "expected a value, found the name " + excerpt(text_.substr(offset, length)));
        tokens_.pop_back();
    }
    add(Kind::kName, offset, length);
}

/// A number, a text or a word outside brackets.
void Literals::stray(size_t offset) {
    if (awaits_value())
        tokens_.pop_back();  // it was the value of this name
    else if (stray_ == kNone)
        stray_ = offset;
}

size_t Literals::behind_blanks(size_t at) const {
    while (at < text_.size() && is_white(text_[at])) ++at;
    return at;
}

std::string_view Literals::rest_of_word(size_t begin) const {
    size_t end = begin;
    while (end < text_.size() && !is_white(text_[end]) && text_[end] != ',' && text_[end] != ']') ++end;
    return text_.substr(begin, end - begin);
}

void Literals::skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

void Literals::read() {
    CancelPoll poll(4096);
    while (at_ < text_.size()) {
        poll();
        const char c = text_[at_];
        const bool outside = open_.empty();
        if (c == ',' || (is_white(c) && (c != '\n' || outside || !ends_matrix_row()))) {
            ++at_;
        } else if (c == ';') {
            if (!outside && open_.back().close == ']') end_row();
            ++at_;
        } else if (text_.substr(at_).starts_with("/*")) {
            const size_t end = text_.find("*/", at_ + 2);
            if (end == text_.npos) fail(at_, "the comment /* is not closed");
            at_ = end + 2;
        } else if (c == '#' || c == '%' || text_.substr(at_).starts_with("//")) {
            skip_line();
        } else if (c == '\n' && !outside && ends_matrix_row()) {
            end_row();
            ++at_;
        } else if (c == '[' && outside && at_ > 0 && (is_name_char(text_[at_ - 1]) || subscript_end_ == at_) &&
                   !holds_lists()) {
            skip_subscript();
        } else if (c == '(' || c == '[' || c == '{') {
            open(c);
        } else if (c == ')' || c == ']' || c == '}') {
            close(c);
        } else if (c == '\'' && outside && at_ > 0 && is_name_char(text_[at_ - 1])) {
            ++at_;  // within ignored words
        } else if (c == '"' || c == '\'' || c == '`') {
            read_string();
        } else if (text_.substr(at_).starts_with("...") || text_.substr(at_).starts_with("\u2026")) {
            fail(at_,
                 "\"...\" stands for numbers that are not written; print all of them (NumPy: "
                 "np.set_printoptions(threshold=np.inf))");
        } else if (is_decimal_digit(c) || ((c == '-' || c == '+' || c == '.') && at_ + 1 < text_.size() &&
                                           (is_decimal_digit(text_[at_ + 1]) || text_[at_ + 1] == '.'))) {
            read_number();
        } else if (!outside && text_.substr(at_).starts_with("--")) {  // NumPy's masked
            add(Kind::kMissing, at_, 0);
            at_ += 2;
        } else if ((c == '-' || c == '+') && at_word(at_ + 1)) {
            ++at_;  // for -inf
        } else if (at_word(at_)) {
            read_word();
        } else if (outside) {
            if (c == '=') has_statements_ = true;
            ++at_;
        } else {
            fail(at_, "expected a number, a text or a bracket, found " + excerpt(rest_of_word(at_)));
        }
    }
    if (!open_.empty()) {
        const size_t begin = tokens_[open_.back().token].offset;
        const auto line = 1 + std::ranges::count(text_.substr(0, begin), '\n');
        fail(text_.size(), std::string("ends before the bracket ") + text_[begin] + " of line " + std::to_string(line) +
                               " is closed");
    }
    if (stray_ != kNone && !has_statements_)
        fail(stray_, "expected coordinates in brackets, found " + excerpt(rest_of_word(stray_)));
}

bool Literals::at_word(size_t at) const { return at < text_.size() && is_name_letter(text_[at]); }

void Literals::open(char bracket) {
    if (open_.size() == kDeepest) fail(at_, "brackets are nested more than " + std::to_string(kDeepest) + " deep");
    const char closing = bracket == '(' ? ')' : bracket == '[' ? ']' : '}';
    open_.push_back({tokens_.size(), closing, call_, tokens_.size() + 1, false});
    call_ = false;
    add(Kind::kList, at_, 0);
    ++at_;
}

void Literals::skip_call() {
    const size_t begin = at_;
    int depth = 0;
    do {
        const char c = text_[at_];
        if (c == '"' || c == '\'') {
            const size_t close = std::min(text_.find_first_of(std::string{c, '\n'}, at_ + 1), text_.size());
            if (close < text_.size() && text_[close] == c) at_ = close;
        }
        if (c == '(') ++depth;
        if (c == ')') --depth;
        ++at_;
    } while (depth > 0 && at_ < text_.size());
    if (depth > 0) fail(begin, "the bracket ( is not closed");
}

/// Whether a line of two or three numbers ends here in MATLAB's "[1 2", where lines are rows.
bool Literals::ends_matrix_row() const {
    const Open& list = open_.back();
    const size_t count = tokens_.size() - list.row_begin;
    if (list.close != ']' || count < 2 || count > 3) return false;
    for (size_t i = list.row_begin; i < tokens_.size(); ++i)
        if (tokens_[i].kind != Kind::kNumber) return false;
    const size_t last = text_.find_last_not_of(" \t\r", at_ - 1), next = behind_blanks(at_);
    const std::string_view line = text_.substr(tokens_[list.row_begin].offset, at_ - tokens_[list.row_begin].offset);
    return text_[last] != ',' && line.find('\n') == line.npos && next < text_.size() && text_[next] != ',';
}

/// Whether the bracket here, after a name, opens a list of lists: "Point2f[[1, 2], …", "Point[{{1, 2}, …".
bool Literals::holds_lists() const {
    const size_t next = behind_blanks(at_ + 1);
    return next < text_.size() && (text_[next] == '[' || text_[next] == '{' || text_[next] == '(');
}

/// For a type or an element, as in "double pts[][2]".
void Literals::skip_subscript() {
    int depth = 0;
    size_t at = at_;
    for (; at < text_.size() && text_[at] != '\n'; ++at) {
        if (text_[at] == '[') ++depth;
        if (text_[at] == ']' && --depth == 0) break;
    }
    if (depth == 0 && at < text_.size() && text_[at] == ']')
        subscript_end_ = at_ = at + 1;
    else
        open('[');
}

void Literals::end_row() {
    Open& list = open_.back();
    if (awaits_value()) fail(at_, "expected a value, found the end of a row");
    if (list.row_begin < tokens_.size()) {
        const Token row{Kind::kList, tokens_[list.row_begin].offset, 0};
        for (size_t i = list.row_begin; i < tokens_.size(); ++i)
            if (tokens_[i].kind == Kind::kList) ++tokens_[i].payload;  // everything in the row moves by one
        tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(list.row_begin), row);
        tokens_[list.row_begin].payload = tokens_.size();
    }
    list.row_begin = tokens_.size();
    list.has_rows = true;
}

void Literals::close(char bracket) {
    if (open_.empty() || open_.back().close != bracket) {
        if (open_.empty() && has_statements_) {  // of skipped text
            ++at_;
            return;
        }
        fail(at_, open_.empty() ? std::string("the bracket ") + bracket + " closes nothing"
                                : std::string("expected the bracket ") + open_.back().close + ", found " + bracket);
    }
    if (awaits_value()) fail(at_, "expected a value, found the bracket " + std::string(1, bracket));
    if (open_.back().has_rows) end_row();
    const Open list = open_.back();
    open_.pop_back();
    ++at_;
    tokens_[list.token].payload = tokens_.size();
    if (open_.empty()) refuse_operation();
    if (!list.call) return;
    // A call with one value is replaced by this value: array([…], dtype=…).
    const size_t first = list.token + 1;
    if (first == tokens_.size() || tokens_[first].kind == Kind::kName) return;
    const size_t behind = end(first);
    if (behind < tokens_.size() && tokens_[behind].kind != Kind::kName) return;
    tokens_.resize(behind);
    for (size_t i = first; i < behind; ++i) {
        tokens_[i - 1] = tokens_[i];
        if (tokens_[i].kind == Kind::kList) --tokens_[i - 1].payload;
    }
    tokens_.pop_back();
}

/// "<[number, number]>" after a name, or "!" of "vec![".
void Literals::skip_type() {
    if (text_[at_] == '!') {
        ++at_;
        return;
    }
    int depth = 0;
    for (size_t at = at_; at < text_.size() && text_[at] != '\n'; ++at) {
        if (text_[at] == '<') ++depth;
        if (text_[at] != '>' || --depth > 0) continue;
        at_ = at + 1;
        return;
    }
    ++at_;
}

/// Rejects operations on a list, which would require computation: np.array(…).T, [1 2; 3 4]', [1, 2] * 3.
void Literals::refuse_operation() {
    size_t next = at_;
    while (next < text_.size() && text_[next] == ' ') ++next;
    const std::string_view rest = text_.substr(next);
    const char c = rest.empty() ? ' ' : rest.front();
    const bool operates = (c == '.' && at_word(next + 1)) || (c == '\'' && next == at_) || c == '*' || c == '@' ||
                          c == '+' || c == '^' || (c == '-' && has_statements_) ||
                          (c == '/' && !rest.starts_with("//"));
    if (operates)
        fail(next,
             "a list alone is read, and nothing computed; found " + excerpt(rest_of_word(next)) + " after its bracket");
}

void Literals::read_string() {
    const char quote = text_[at_];
    const size_t begin = at_;
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view triple : {"\"\"\"", "'''"}) {
        if (!rest.starts_with(triple)) continue;
        const size_t end = text_.find(triple, at_ + 3);
        if (end == text_.npos) fail(begin, "the text in three quotes is not closed");
        at_ = end + 3;
        return;
    }
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n')
        at_ += text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
    if (at_ >= text_.size() || text_[at_] != quote)
        fail(begin, "the quote before " + excerpt(text_.substr(begin + 1, 60)) + " is not closed in its line");
    const size_t length = at_ - begin - 1;
    ++at_;
    const size_t next = behind_blanks(at_);
    const bool names = next < text_.size() && text_[next] == ':';
    if (names) {
        at_ = next + 1;
        add_name(begin + 1, length);
    } else if (open_.empty()) {
        stray(begin);
    } else {
        add(Kind::kText, begin + 1, length);
    }
}

void Literals::read_number() {
    const size_t begin = at_;
    const auto number_at = [&](size_t at, double& value) {
        const size_t digits = text_[at] == '+' ? at + 1 : at;
        const auto [end, error] = fast_float::from_chars(text_.data() + digits, text_.data() + text_.size(), value);
        return error == std::errc() && end != text_.data() + digits ? static_cast<size_t>(end - text_.data()) : at;
    };
    double value = 0;
    const size_t end = number_at(begin, value);
    const auto refuse = [&] { fail(begin, "expected a number, found " + excerpt(rest_of_word(begin))); };
    if (open_.empty()) {  // outside brackets numbers are not coordinates
        at_ = std::max(end, begin + 1);
        return stray(begin);
    }
    if (end == begin) refuse();
    const std::string_view written = text_.substr(begin, end - begin);
    if (!std::isfinite(value)) fail(begin, excerpt(written) + " is beyond what a double can hold");
    if (value == 0 && written.substr(0, written.find_first_of("eE")).find_first_of("123456789") != written.npos)
        value = std::numeric_limits<double>::denorm_min();  // nonzero, for the range check
    at_ = end;
    if (text_.substr(at_).starts_with('`'))  // the precision of Mathematica: 1.25`, 1.25`20.
        at_ = std::min(text_.find_first_not_of("`0123456789.", at_), text_.size());
    if (text_.substr(at_).starts_with("*^")) {  // with an exponent, 1.25*^3
        const size_t behind = std::min(
            text_.find_first_not_of("0123456789", at_ + (text_.substr(at_).starts_with("*^-") ? 3 : 2)), text_.size());
        const auto scaled =
            number_of(std::string(written) + "e" + std::string(text_.substr(at_ + 2, behind - at_ - 2)));
        if (!scaled) refuse();
        value = *scaled;
        at_ = behind;
    }
    char next = at_ < text_.size() ? text_[at_] : ' ';
    if ((next == '+' || next == '-') && at_ + 1 < text_.size()) {  // 1+2j
        double imaginary = 0;
        const size_t behind = number_at(at_, imaginary);
        if (behind == at_ || behind >= text_.size() || (text_[behind] != 'j' && text_[behind] != 'i')) refuse();
        at_ = behind + 1;
        add(Kind::kList, begin, tokens_.size() + 3);
        add(Kind::kNumber, begin, std::bit_cast<uint64_t>(value));
        add(Kind::kNumber, begin, std::bit_cast<uint64_t>(imaginary));
        return;
    }
    if ((next == 'f' || next == 'F' || next == 'L' || next == 'n') &&
        (at_ + 1 >= text_.size() || !is_name_char(text_[at_ + 1])))
        next = ++at_ < text_.size() ? text_[at_] : ' ';  // suffix of C, R and JavaScript
    if (is_name_letter(next) || next == '.' || next == '/' || next == '*' || next == '^') refuse();
    if (open_.back().close == '}') {
        const size_t colon = behind_blanks(at_);
        if (colon < text_.size() && text_[colon] == ':') {
            add_name(begin, at_ - begin);
            at_ = colon + 1;
            return;
        }
    }
    add(Kind::kNumber, begin, std::bit_cast<uint64_t>(value));
}

void Literals::read_word() {
    const size_t begin = at_;
    while (at_ < text_.size() && (is_name_char(text_[at_]) || (text_[at_] == '.' && at_word(at_ + 1)) ||
                                  (text_[at_] == ':' && text_.substr(at_).starts_with("::") && at_word(at_ + 2))))
        at_ += text_[at_] == ':' ? 2 : 1;
    const std::string_view word = text_.substr(begin, at_ - begin);
    const bool outside = open_.empty();
    if (outside && (word == "import" || word == "from" || word == "using" || word == "library" || word == "package")) {
        has_statements_ = true;
        return skip_line();
    }
    size_t next = at_;
    while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t')) ++next;
    const char follows = next < text_.size() ? text_[next] : '\n';
    if (outside && next == at_ && (follows == '<' || text_.substr(at_).starts_with("![")))  // of a type; of a macro
        return skip_type();
    const bool assigns = follows == '=' && !text_.substr(next).starts_with("==");
    const bool arrow = text_.substr(next).starts_with("<-");  // R's
    if (outside && (assigns || arrow || follows == ':' || (follows == '[' && next == at_))) {
        has_statements_ = true;
        if (!awaits_value()) add_name(begin, word.size());  // otherwise it is the type of the assigned value
        if (follows != '[') at_ = next + (arrow ? 2 : 1);
        return;
    }
    if (assigns || follows == ':') {
        add_name(begin, word.size());
        at_ = next + 1;
        return;
    }
    if (follows == '(') {
        at_ = next;
        call_ = is_known_call(word);
        if (call_) return;
        skip_call();
        return add(Kind::kText, begin, at_ - begin);
    }
    if (word.size() <= 2 && (follows == '\'' || follows == '"') && next == at_) return read_string();  // b'…'
    if (!outside && follows == '{') return;  // Point { x: 1, y: 2 }
    if (is_among(word, kMissingWords)) {
        outside ? stray(begin) : add(Kind::kMissing, begin, 0);
    } else if (word == "true" || word == "True" || word == "TRUE" || word == "false" || word == "False" ||
               word == "FALSE") {
        const bool truth = word.front() == 't' || word.front() == 'T';
        outside ? stray(begin) : add(Kind::kTruth, begin, std::bit_cast<uint64_t>(truth ? 1.0 : 0.0));
    } else if (!is_among(word, kSilentWords)) {
        outside ? stray(begin) : add(Kind::kText, begin, word.size());
    }
}

std::string Literals::text(size_t i) const {
    std::string_view raw = written(i);
    std::string text;
    while (!raw.empty()) {
        const size_t plain = std::min(raw.find('\\'), raw.size());
        text += raw.substr(0, plain);
        raw.remove_prefix(plain);
        if (raw.size() < 2) return text += raw;
        static constexpr std::string_view kEscapes = "bfnrt", kMeant = "\b\f\n\r\t";
        const char escape = raw[1];
        raw.remove_prefix(2);
        std::optional<uint32_t> code;
        if (const size_t known = kEscapes.find(escape); known != kEscapes.npos)
            text += kMeant[known];
        else if (escape == 'u' && (code = take_unicode_escape(raw)))
            put_utf8(text, *code);
        else
            text += escape;
    }
    return text;
}

}  // namespace flipscope::io
