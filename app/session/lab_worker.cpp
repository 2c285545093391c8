#include "app/session/lab_worker.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "flipscope/error.h"
#include "instruments/failure_marks.h"

namespace flipscope::app {

namespace {

// Seconds from a soft to a hard cancel, after which the interrupted pass must be repeated.
constexpr double kPatienceToCancel = 0.3;
constexpr double kLastingStage = 0.5;  // s: shorter stages are not shown

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

LabWorker::LabWorker(std::unique_ptr<Devices> devices, std::unique_ptr<Timeline> timeline, std::function<void()> wake)
    : opened_(now_s()),
      devices_(std::move(devices)),
      timeline_(std::move(timeline)),
      publisher_([this] { return seconds(); }),
      worker_([this, wake = std::move(wake)] {
          devices_->wake();
          wake();
      }) {
    publisher_.set_lab(timeline_->lab());
    publisher_.set_device(*devices_);
}

double LabWorker::seconds() const { return now_s() - opened_; }

bool LabWorker::switch_to(std::unique_ptr<Timeline> timeline) {
    if (timeline) timeline_ = std::move(timeline);
    const bool another = devices_->switch_to(timeline_->lab().info());
    publisher_.set_device(*devices_);
    return another;
}

void LabWorker::request(CommandQueue::Start start, const std::string& tag) {
    playback_.stop_playback();
    commands_.push(tag, std::move(start));
}

void LabWorker::request_of_run(CommandQueue::Start start, const std::string& tag) {
    commands_.push(tag, [this, start = std::move(start)] {
        if (model().loaded) start();
    });
}

void LabWorker::start(Job job) {
    job_ = std::move(job);
    began_ = seconds();
    cancelled_at_ = 0;
    link_.begin(model().position, job_.target);
    devices_->clear_cancel();
    try {
        devices_->acquire();
    } catch (const DeviceLost&) {
        fail(std::current_exception());
        job_ = {};
        return;
    }
    publisher_.expect(job_.moves);
    // Failure marks belong to one state; the next must not inherit them.
    const bool unmarks = job_.changes_scene && std::exchange(marked_, false);
    unmarked_ = unmarks;
    update_.reset();
    const bool continues = job_.changes_scene && !begins_run(job_.task);
    worker_.start([this, unmarks, continues, run = std::move(job_.run),
                   follow = continues && hooks.follow ? hooks.follow() : nullptr] {
        const CancelScope scope(devices_->cancel_flag());
        const WorkScope work(meter_);
        if (unmarks && timeline_->usable()) unmark_failures(context(), timeline_->lab().scene());
        run();
        if (!continues || !timeline_->usable()) return;
        if (follow) follow(context(), timeline_->lab(), input());
        update_ = publisher_.collect_update(*timeline_);
    });
}

void LabWorker::poll(bool may_interrupt) {
    if (!busy()) return;
    devices_->service();
    if (worker_.finished()) return complete();
    if (may_interrupt && cancelled_at_ != 0 && seconds() - cancelled_at_ > kPatienceToCancel) devices_->cancel();
}

void LabWorker::wait(double seconds) {
    const double end = now_s() + seconds;
    while (!worker_.finished()) {
        const double left = end - now_s();
        if (left <= 0) return;
        devices_->service(left);
    }
    complete();
}

void LabWorker::finish(const std::function<void()>& release) {
    link_.stop();
    devices_->cancel();
    while (busy()) {
        devices_->service(0.02);
        if (worker_.finished()) worker_.collect();
    }
    devices_->clear_cancel();  // complete the remaining copies
    try {
        under_lease([&] {
            release();
            timeline_.reset();
        });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "flipscope: giving back what was drawn from: %s\n", error.what());
    }
}

void LabWorker::cancel() {
    link_.stop();
    if (cancelled_at_ == 0) cancelled_at_ = seconds();
    if (!is_interruptible(job_.task)) devices_->cancel();
}

bool LabWorker::announces() const {
    return busy() && is_announced(job_.task) && seconds() - began_ >= announced_after(job_.task);
}

LabWorker::Progress LabWorker::progress() const {
    if (!busy()) return {};
    const WorkMeter::Reading stage = meter_.read(kLastingStage);
    const double whole = link_.fraction();
    return {announces(),        job_.title,       stage_text(stage), whole >= 0 ? whole : stage.fraction,
            seconds() - began_, cancelled_at_ > 0};
}

void LabWorker::under_lease(const std::function<void()>& act) {
    devices_->acquire();
    act();
    devices_->release();
}

void LabWorker::complete() {
    const std::exception_ptr failure = worker_.collect();
    devices_->clear_cancel();
    const auto after = std::exchange(job_.after, nullptr);
    if (failure) {
        fail(failure);
    } else {
        try {
            if (!begins_run(job_.task)) publish();
            if (after) after();
            if (begins_run(job_.task)) publish();
        } catch (...) {
            fail(std::current_exception());
        }
    }
    try {
        if (std::exchange(unmarked_, false)) mark_again();
        devices_->release();
    } catch (const DeviceLost&) {
        fail(std::current_exception());
        devices_->release();
    }
    if (job_.changes_scene) ++revision_;
    job_ = {};
    cancelled_at_ = 0;
}

void LabWorker::fail(const std::exception_ptr& failure) {
    update_.reset();
    if (job_.task == Task::kMeasure) publisher_.set_measured(ModelPublisher::Measured{});
    hooks.failed(failure);
}

// Restores the marks that the job removed where their check still holds: the job was refused or failed. Requires an
// idle worker and the lease.
void LabWorker::mark_again() {
    if (!timeline_->usable() || !model().check || model().check->failures.empty()) return;
    mark_failures(context(), timeline_->lab().scene(), *model().check);
    context().synchronize();
    marked_ = true;
}

void LabWorker::publish() {
    if (!timeline_->usable()) return;
    publisher_.publish(*timeline_, context(), job_.changes_scene, std::exchange(update_, std::nullopt));
    if (!job_.changes_scene) return;
    if (model().done) playback_.pause();
    if (hooks.published) hooks.published();
}

}  // namespace flipscope::app
