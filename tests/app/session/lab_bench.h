// A lab on the session's worker without a session, for tests of single parts.
#pragma once

#include <memory>
#include <string>

#include "app/session/lab_worker.h"
#include "app/shared_memory_promises.h"
#include "geometry/generators.h"
#include "lab/registry.h"

namespace flipscope::app {

struct LabBench {
    std::unique_ptr<GlContext> gl = context_or_skip();
    std::unique_ptr<LabWorker> worker;
    std::string failure;  // of the last job that threw

    /// The lab at the end of its run on a generator's points.
    LabBench(const std::string& lab, const std::string& points) {
        if (!gl) return;
        worker = std::make_unique<LabWorker>(Devices::open(DeviceRequest::kCpu, 2, "mapped"),
                                             std::make_unique<Timeline>(make_lab(lab)), [] {});
        worker->hooks.failed = [this](const std::exception_ptr& thrown) {
            try {
                std::rethrow_exception(thrown);
            } catch (const std::exception& error) {
                failure = error.what();
            }
        };
        const auto input = std::make_shared<const Geometry>(generate(parse_generator(points)));
        const Opening opening = worker->loader().from_memory({}, input, points);
        const auto open = [this, opening](Timeline& timeline) {
            return worker->loader().open(opening, timeline,
                                         [this](const auto&) -> Context& { return worker->context(); });
        };
        worker->start({.task = Task::kOpen, .changes_scene = true}, open, [this, opening](const Opened& opened) {
            worker->loader().adopt(opening, opened);
            worker->publisher().begin_run(worker->timeline().lab(), opened.bounds);
        });
        seek(UINT64_MAX);
    }
    ~LabBench() {
        if (worker) worker->finish([] {});
    }
    explicit operator bool() const { return worker != nullptr; }
    const LabModel& model() const { return worker->model(); }
    std::string said() const { return model().messages.empty() ? "" : model().messages.all().back().text; }

    /// Runs all commands, and `start_due` when none is queued.
    template <class StartDue>
    void settle(StartDue start_due) {
        do {
            while (worker->busy()) worker->wait(0.1);
            if (const auto start = worker->commands().pop())
                start();
            else
                start_due();
        } while (worker->busy() || !worker->commands().empty());
    }
    void settle() {
        settle([] {});
    }
    void seek(uint64_t position) {
        settle();
        worker->start({.task = Task::kSeek, .changes_scene = true, .run = [this, position] {
                           worker->timeline().seek(position);
                       }});
        settle();
    }
};

}  // namespace flipscope::app
