// How a lab shows its parameters: it hands each of them to a visitor.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace flipscope {

/// What a parameter, or some of its values, were called in the release before. They are still understood, and the
/// user is told the present ones.
struct FormerName {
    std::string name = {};  // empty: the present one; only values have changed
    /// Former value and present value; those that are not listed mean what they do now. For each present value the
    /// first that is listed is how the parameter was shown: "on", "open".
    std::vector<std::pair<std::string, std::string>> values = {};
};
/// The values of a toggle that has become a choice.
inline std::vector<std::pair<std::string, std::string>> values_of_toggle(const std::string& on,
                                                                         const std::string& off) {
    return {{"on", on}, {"true", on}, {"yes", on}, {"1", on}, {"off", off}, {"false", off}, {"no", off}, {"0", off}};
}

/// Receives every parameter. The panel, the command line and `flipscope list` are visitors.
class ParameterVisitor {
  public:
    virtual ~ParameterVisitor() = default;
    /// `value` is an index into `options` (name for --set, and a sentence each).
    struct Option {
        std::string name, sentence;
    };
    virtual void choice(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                        const std::vector<Option>& options) = 0;
    virtual void toggle(const std::string& name, const std::string& title, const std::string& sentence,
                        bool& value) = 0;
    virtual void integer(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                         int least, int most) = 0;
    virtual void number(const std::string& name, const std::string& title, const std::string& sentence, double& value,
                        double least, double most) = 0;
    /// Of the parameter visited last. A former name is dropped one release after the present one came.
    virtual void formerly(const FormerName& /*former*/) {}
    /// Parameters visited from here on belong together under this heading; where there are many, it helps.
    virtual void group(const std::string& /*title*/) {}
};

}  // namespace flipscope
