// An algorithm's parameters as text: listing them, and setting them by name. Used by the command line, the scenario
// reader and the benchmark, so that none of them hard-codes a parameter.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

/// "30", or "30x12" if width and height differ; and back. nullopt: neither form.
std::string text_of_size(Point size);
std::optional<Point> size_of_text(const std::string& text);

/// Passes the parameters of a lab, or of a part of one, to a visitor.
using VisitParameters = std::function<void(ParameterVisitor&)>;

/// Every parameter with its present value, in the algorithm's order.
std::vector<ParameterDescription> list_parameters(Lab& algorithm);

/// Their names and values, as set_parameter() reads them.
std::vector<Parameter> values_of(const std::vector<ParameterDescription>& parameters);

/// What overrides a parameter; empty: nothing does.
Override override_of(const ParameterDescription& parameter, const ParameterContext& now);
/// A ParameterContext::value_of for these parameters, which are not copied.
std::function<std::string(const std::string&)> value_lookup(const std::vector<ParameterDescription>& parameters);

/// Sets one parameter; it takes effect at the next reset(). Toggles take on/off, true/false, yes/no and 1/0. Throws
/// Error, and changes nothing, for an unknown name (the message lists the known ones) or an invalid value (the message
/// states the range). The message begins with `place` if given, as in "demo.json: /parameters/count".
void set_parameter(Lab& algorithm, const std::string& name, const std::string& value, const std::string& place = {});

/// The same for the parameters of a lab of this id.
void set_parameter(const VisitParameters& visit, const std::string& lab, const std::string& name,
                   const std::string& value, const std::string& place = {});

/// Throws the same Error if these parameters of a lab of this id do not accept the value.
void require_value(const std::vector<ParameterDescription>& parameters, const std::string& lab, const std::string& name,
                   const std::string& value, const std::string& place = {});

/// set_parameter() from "name=value". Throws Error also for any other form.
void set_parameter(Lab& algorithm, const std::string& assignment);

std::vector<ParameterDescription> list_parameters(const VisitParameters& visit);
/// Sets one parameter of the part. False, and no change: the part does not have it.
bool set_if_known(const VisitParameters& visit, const std::string& name, const std::string& value);

/// The values of the parameters of EffectAt::kStep, a line "dt=0.01" for each: what a snapshot keeps of them.
std::string step_values(const VisitParameters& visit);
/// Sets parameters from such lines. False: the part lacks one of them, or does not accept its value.
bool set_step_values(const VisitParameters& visit, const std::string& lines);

/// Sets the parameters of a lab of this id in order, and describes the changes: "Radius from 1 to 2, …". Throws Error
/// as set_parameter() does.
std::string change_parameters(const VisitParameters& visit, const std::string& lab,
                              const std::vector<Parameter>& values);

bool is_one_of(const std::string& name, std::initializer_list<const char*> names);
/// "a, b or c", for sentences.
std::string join_words(const std::vector<std::string>& words, const std::string& last = " or ");

}  // namespace flipscope
