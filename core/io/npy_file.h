// The header of a .npy file and access to its elements, for the readers of points, fields and tracks. Only the readers
// in this folder include it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/parse.h"

namespace flipscope::io {

/// NumPy's dtype of a plain number or a text.
struct NpyType {
    char kind = 'f';  // f, i, u, b, U or S as NumPy calls them
    size_t size = 8;  // bytes
    bool big_endian = false;
};

/// Strided elements of one type in a file: a column of an array or of records, perhaps over time.
struct NpyColumn {
    const char* data = nullptr;
    uint64_t offset = 0;          // of the first element, bytes
    uint64_t row = 0, frame = 0;  // bytes from one row to the next, from one frame to the next
    NpyType type;

    bool is_text() const { return type.kind == 'U' || type.kind == 'S'; }
    /// For numbers: the nearest double.
    double number(uint64_t i, uint64_t t = 0) const;
    /// For numbers: the exact integer; nullopt: not an integer, or too large.
    std::optional<int64_t> whole(uint64_t i, uint64_t t = 0) const;
    /// The digits of an integer that is not exact as a double; empty: number() is exact.
    std::string inexact(uint64_t i, uint64_t t = 0) const;
    /// For texts: UTF-8, at most about `most` bytes.
    std::string text(uint64_t i, size_t most = 200) const;

  private:
    const char* at(uint64_t i, uint64_t t) const { return data + (offset + i * row + t * frame); }
};

/// A field of a structured array, or one element of an array field.
struct NpyField {
    std::string name;
    std::optional<NpyType> type;  // nullopt: neither a number nor a text
    size_t offset = 0;            // bytes from the begin of a record
    size_t element = 0, elements = 1;
};

class NpyFile {
  public:
    /// Throws Error unless `bytes` is a .npy file of version 1 to 3 with a valid header. `bytes` must outlive it.
    NpyFile(const std::filesystem::path& path, std::string_view bytes);

    const std::string& name() const { return name_; }
    const std::string& written_type() const { return type_text_; }    // "'<f8'"
    const std::string& written_shape() const { return shape_text_; }  // "(3, 4)"; printable and short
    /// The shape, if it is a tuple of integers that fits into memory.
    const std::optional<std::vector<uint64_t>>& shape() const { return shape_; }
    /// For floating-point numbers of 2, 4 or 8 bytes, integers of 1 to 8 bytes, or bool.
    const std::optional<NpyType>& type() const { return type_; }
    /// For complex numbers: the type of both parts.
    const std::optional<NpyType>& parts() const { return parts_; }
    /// For texts (U or S) of nonzero length.
    const std::optional<NpyType>& text_type() const { return text_type_; }
    /// Of a structured array; empty: not structured, or with a field of unknown size.
    const std::vector<NpyField>& fields() const { return fields_; }
    size_t element_size() const { return element_size_; }  // bytes; 0: none of these
    bool column_major() const { return column_major_; }
    std::string_view data() const { return data_; }
    Error fail(const std::string& what) const { return Error(name_ + ": " + what); }
    /// "p.npy: expected shape WHAT, found (3, 4)"
    Error fail_shape(const std::string& what) const {
        return fail("expected shape " + what + ", found " + shape_text_);
    }
    /// "p.npy: expected WHAT, found '|O', …", with advice on convertible types.
    Error fail_type(const std::string& what) const;

    /// The number of elements in the shape. Throws Error, naming `what`, if the file has fewer; notes if it has more.
    /// Requires shape() and element_size().
    uint64_t require_whole(const std::string& what, std::vector<std::string>& notes) const;
    /// Number i in file order. Requires type().
    double number(uint64_t i) const { return elements().number(i); }
    /// All numbers or texts in file order.
    NpyColumn elements() const { return {data_.data(), 0, element_size_, 0, type_ ? *type_ : *text_type_}; }
    /// Byte strides along each axis. Requires shape().
    std::vector<uint64_t> strides() const;

  private:
    std::string_view take_header();
    std::string name_, type_text_, shape_text_;
    std::string_view data_;
    std::optional<std::vector<uint64_t>> shape_;
    std::optional<NpyType> type_, parts_, text_type_;
    std::vector<NpyField> fields_;
    size_t element_size_ = 0;
    bool column_major_ = false;
};

}  // namespace flipscope::io
