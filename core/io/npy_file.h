// The frame of a .npy file: what its header says and where its numbers are, for the readers of points, of fields and of
// tracks. Only the readers in this folder include it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/parse.h"

namespace flipscope::io {

/// NumPy's dtype, where it is a plain number or a text.
struct NpyType {
    char kind = 'f';  // f, i, u, b, U or S as NumPy calls them
    size_t size = 8;  // bytes
    bool big_endian = false;
};

/// Elements of one type at fixed distances in a file: a column of an array or of records, over time too.
struct NpyColumn {
    const char* data = nullptr;
    uint64_t offset = 0;          // of the first one, bytes
    uint64_t row = 0, frame = 0;  // bytes from one row to the next, from one frame to the next
    NpyType type;

    bool is_text() const { return type.kind == 'U' || type.kind == 'S'; }
    /// Of numbers, as the nearest double.
    double number(uint64_t i, uint64_t t = 0) const;
    /// Of numbers: the whole number itself; nothing: it is none, or too large.
    std::optional<int64_t> whole(uint64_t i, uint64_t t = 0) const;
    /// The digits of a whole number that no double is equal to; empty: number() is exact.
    std::string inexact(uint64_t i, uint64_t t = 0) const;
    /// Of texts: UTF-8, as it stands, of no more than about `most` bytes.
    std::string text(uint64_t i, size_t most = 200) const;

  private:
    const char* at(uint64_t i, uint64_t t) const { return data + (offset + i * row + t * frame); }
};

/// A field of a structured array; of a field that is an array, one element of it.
struct NpyField {
    std::string name;
    std::optional<NpyType> type;  // nothing: neither a number nor a text
    size_t offset = 0;            // bytes from the begin of a record
    size_t element = 0, elements = 1;
};

class NpyFile {
  public:
    /// Throws Error where `bytes` is no .npy file of version 1 to 3, or its header is broken. `bytes` must stay.
    NpyFile(const std::filesystem::path& path, std::string_view bytes);

    const std::string& name() const { return name_; }
    const std::string& written_type() const { return type_text_; }    // "'<f8'"
    const std::string& written_shape() const { return shape_text_; }  // "(3, 4)"; printable
    /// The sizes, where the shape is a tuple of whole numbers that is no larger than memory.
    const std::optional<std::vector<uint64_t>>& shape() const { return shape_; }
    /// Floating-point numbers of 2, 4 or 8 bytes, whole numbers of 1 to 8, or bool.
    const std::optional<NpyType>& type() const { return type_; }
    /// Of complex numbers the type of their two parts.
    const std::optional<NpyType>& parts() const { return parts_; }
    /// Of texts, U or S, that have room for a character.
    const std::optional<NpyType>& text_type() const { return text_type_; }
    /// Of a structured array, one record after another; empty: it is none, or has a field of unknown size.
    const std::vector<NpyField>& fields() const { return fields_; }
    size_t element_size() const { return element_size_; }  // bytes; 0: it is none of these
    bool column_major() const { return column_major_; }
    std::string_view data() const { return data_; }
    Error fail(const std::string& what) const { return Error(name_ + ": " + what); }
    /// "p.npy: expected WHAT, found '|O', …", with what to do about types that others can read.
    Error fail_type(const std::string& what) const;

    /// How many elements the shape says. Throws Error, naming `what`, where the file has fewer; says in `notes` where
    /// it has more. Needs shape() and element_size().
    uint64_t require_whole(const std::string& what, std::vector<std::string>& notes) const;
    /// Number i as it lies in the file. Needs type().
    double number(uint64_t i) const { return elements().number(i); }
    /// Numbers or texts one after the other as they lie in the file.
    NpyColumn elements() const { return {data_.data(), 0, element_size_, 0, type_ ? *type_ : *text_type_}; }
    /// How far elements lie apart along each axis, in bytes. Needs shape().
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
