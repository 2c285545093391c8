// How a lab shows its parameters: it hands each of them to a visitor.
#pragma once

#include <string>
#include <vector>

namespace flipscope {

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
    /// Parameters visited from here on belong together under this heading; where there are many, it helps.
    virtual void group(const std::string& /*title*/) {}
};

}  // namespace flipscope
