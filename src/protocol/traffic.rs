//! What passes between the thread that reads and the thread that acts.
//!
//! Commands wait in a queue while a search runs; signals reach the search at once. Signals belong to
//! one `go`: they are kept with it from the moment it is read, while it waits in the queue and while
//! it runs, so that none is lost and none hits another search.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::command::Command;
use super::go::Go;
use super::limits::Plan;
use super::xboard::Order;
use crate::search::Control;
use crate::types::Move;

/// A `stop` this soon after an answer has crossed it on the wire.
const CROSSING: Duration = Duration::from_secs(1);

/// Signals of one `go`.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Signals {
    stop: bool,
    /// The move pondered on was played.
    pub(super) hit: bool,
    /// The opponent offered a draw with `ponderhit`.
    pub(super) draw: bool,
    /// Nobody wants the answer any more (XBoard only).
    pub(super) aborted: bool,
    /// The clock in milliseconds as told before the hit (XBoard only).
    pub(super) clock: Option<i64>,
}

/// The next thing to act on.
#[derive(Debug)]
pub(super) enum Task {
    /// Any command but `go`.
    Run(Command),
    /// A `go`. [`Traffic::finish`] or [`Traffic::abandon`] must follow.
    Go(Go),
    /// `quit`
    Quit,
    /// Input has ended.
    End,
}

#[derive(Debug)]
enum Queued {
    Run(Command),
    Go(Go, Signals),
    Quit,
    End,
}

/// The `go` being acted on.
#[derive(Debug)]
struct Current {
    signals: Signals,
    /// Present from [`Traffic::begin`] on.
    control: Option<Arc<Control>>,
    ponder: bool,
    infinite: bool,
    runs_out: bool,
    /// The move pondered on, where the engine decides that (XBoard only).
    expected: Option<Move>,
}

impl Current {
    fn new(plan: &Plan, signals: Signals, expected: Option<Move>) -> (Current, Arc<Control>) {
        let control = Arc::new(Control::new(plan.ponder && !signals.hit));
        if signals.stop {
            control.stop();
        }
        let current = Current {
            signals,
            control: Some(Arc::clone(&control)),
            ponder: plan.ponder,
            infinite: plan.infinite,
            runs_out: plan.runs_out,
            expected,
        };
        (current, control)
    }

    /// Whether only a signal can release the answer.
    fn is_endless(&self) -> bool {
        self.infinite || self.ponder && !self.signals.hit
    }

    fn stop(&mut self) {
        self.signals.stop = true;
        if let Some(control) = &self.control {
            control.stop();
        }
    }
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Queued>,
    current: Option<Current>,
    /// When the last search was answered, unless something came since.
    answered: Option<Instant>,
    batch: bool,
    /// No more commands will come.
    closed: bool,
}

impl State {
    fn has_queued_go(&self) -> bool {
        self.queue.iter().any(|item| matches!(item, Queued::Go(..)))
    }

    /// A search starts; what is returned are the signals it is to watch.
    fn start(&mut self, plan: &Plan, signals: Signals, expected: Option<Move>) -> Arc<Control> {
        let (current, control) = Current::new(plan, signals, expected);
        self.current = Some(current);
        control
    }

    /// Orders of the XBoard protocol that wait.
    fn orders(&self) -> impl Iterator<Item = &Order> {
        self.queue.iter().filter_map(|item| match item {
            Queued::Run(Command::Order(order)) => Some(order),
            _ => None,
        })
    }

    /// Stops every `go` that waits.
    fn stop_queued(&mut self) {
        for item in &mut self.queue {
            if let Queued::Go(_, signals) = item {
                signals.stop = true;
            }
        }
    }

    /// Stops the running search if nobody is left to stop it, or if another one waits behind it.
    fn stop_if_abandoned(&mut self) {
        let waiting = self.has_queued_go();
        let (closed, batch) = (self.closed, self.batch);
        if let Some(current) = &mut self.current {
            let endless = current.is_endless();
            if endless && (waiting || closed) || closed && !batch && !current.runs_out {
                current.stop();
            }
        }
    }
}

/// The queue, the signals, and what both threads must agree on.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    state: Mutex<State>,
    changed: Condvar,
}

impl Traffic {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // --- the reader's side ---

    /// Queues a command. A search that would never end by itself ends for a `go` behind it.
    pub(super) fn push(&self, command: Command) {
        let mut state = self.lock();
        state.answered = None;
        match command {
            Command::Go(go) => {
                state.queue.push_back(Queued::Go(go, Signals::default()));
                state.stop_if_abandoned();
            }
            command => state.queue.push_back(Queued::Run(command)),
        }
        self.changed.notify_all();
    }

    /// Whether a `go` is being acted on or waits to be.
    pub(super) fn is_searching(&self) -> bool {
        let state = self.lock();
        state.current.is_some() || state.has_queued_go()
    }

    /// `stop`: ends the running search and every one that waits. Without any, it is queued as a
    /// command, but for one that has crossed an answer.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        let batch = state.batch;
        if state.current.is_some() || state.has_queued_go() {
            // In a file the line counts as read only after a search that ends by itself.
            if let Some(current) = state.current.as_mut().filter(|c| !batch || c.is_endless()) {
                current.stop();
            }
            if !batch {
                state.stop_queued();
            }
        } else if state.answered.take().is_none_or(|at| at.elapsed() > CROSSING) {
            state.queue.push_back(Queued::Run(Command::Stop));
        }
        self.changed.notify_all();
    }

    /// `ponderhit`: for the running search if it ponders, else for the first that waits to.
    pub(super) fn ponder_hit(&self, draw: bool) {
        let mut state = self.lock();
        let State { current, queue, .. } = &mut *state;
        // A `go` that was taken from the queue but has not begun counts as pondering if it says so.
        if let Some(current) = current.as_mut().filter(|c| c.ponder && !c.signals.hit) {
            current.signals.hit = true;
            current.signals.draw |= draw;
            if let Some(control) = &current.control {
                control.ponderhit();
            }
        } else if let Some(signals) = queue.iter_mut().find_map(|item| match item {
            Queued::Go(go, signals) if go.ponder && !signals.hit => Some(signals),
            _ => None,
        }) {
            signals.hit = true;
            signals.draw |= draw;
        }
        state.stop_if_abandoned();
        self.changed.notify_all();
    }

    /// Whether input is a file, not a conversation.
    pub(super) fn set_batch(&self, on: bool) {
        self.lock().batch = on;
    }

    /// `quit`: ends all searches at once, unless input is a file: then those that end by themselves
    /// do. Returns whether the end may take its time.
    pub(super) fn quit(&self) -> bool {
        let mut state = self.lock();
        state.closed = true;
        let batch = state.batch;
        if !batch {
            if let Some(current) = &mut state.current {
                current.stop();
            }
            state.stop_queued();
        }
        state.stop_if_abandoned();
        state.queue.push_back(Queued::Quit);
        self.changed.notify_all();
        batch
    }

    /// Input has ended: searches that have an end of their own reach it, others are stopped.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.stop_if_abandoned();
        state.queue.push_back(Queued::End);
        self.changed.notify_all();
    }

    /// Queues an order of the XBoard protocol, and lets the search in progress know as far as it
    /// concerns it: what the engine does of its own accord makes way for everything but a clock.
    /// `mv` is the move the order stands for.
    pub(super) fn push_order(&self, order: Order, mv: Option<Move>) {
        let mut state = self.lock();
        let only_clocks = state.orders().count() == state.queue.len()
            && state.orders().all(|order| order.is_clock());
        let last_clock = state.orders().filter_map(|order| match order {
            &Order::Time(millis) => Some(millis),
            _ => None,
        });
        let last_clock = last_clock.last();
        let Some(current) = &mut state.current else {
            state.queue.push_back(Queued::Run(Command::Order(order)));
            self.changed.notify_all();
            return;
        };
        let pondering = current.ponder && !current.signals.hit;
        if pondering && mv.is_some() && mv == current.expected && only_clocks {
            if !current.signals.stop {
                current.signals.hit = true;
                current.signals.clock = last_clock;
                if let Some(control) = &current.control {
                    control.ponderhit();
                }
                // The clocks belong to the move that is being thought about now.
                state.queue.clear();
                self.changed.notify_all();
                return;
            }
        } else if current.is_endless() {
            if !(pondering && order.is_clock()) {
                current.signals.aborted = true;
                current.stop();
            }
        } else if order == Order::MoveNow {
            current.stop();
            return;
        } else if order.aborts_thinking() {
            current.signals.aborted = true;
            current.stop();
        }
        state.queue.push_back(Queued::Run(Command::Order(order)));
        self.changed.notify_all();
    }

    // --- the other side ---

    /// A search for the engine's own move starts, XBoard's way: without a `go` of its own. What
    /// waits already may make it pointless.
    pub(super) fn begin_move(&self, plan: &Plan) -> Arc<Control> {
        let mut state = self.lock();
        let aborted = state.orders().any(Order::aborts_thinking);
        let stop = aborted || state.closed || state.orders().any(|o| *o == Order::MoveNow);
        let signals = Signals { stop, aborted, ..Signals::default() };
        state.start(plan, signals, None)
    }

    /// A search that the engine starts because it has nothing else to do; `None` when it has.
    pub(super) fn begin_idle(&self, plan: &Plan, expected: Option<Move>) -> Option<Arc<Control>> {
        let mut state = self.lock();
        if !state.queue.is_empty() || state.closed {
            return None;
        }
        Some(state.start(plan, Signals::default(), expected))
    }

    /// Waits for the next task.
    pub(super) fn next(&self) -> Task {
        let mut state = self.lock();
        loop {
            match state.queue.pop_front() {
                Some(Queued::Run(command)) => return Task::Run(command),
                Some(Queued::Quit) => return Task::Quit,
                Some(Queued::End) => return Task::End,
                Some(Queued::Go(go, signals)) => {
                    state.current = Some(Current {
                        signals,
                        control: None,
                        ponder: go.ponder,
                        infinite: false,
                        runs_out: true,
                        expected: None,
                    });
                    return Task::Go(go);
                }
                None => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// The `go` taken last starts now. Returns the signals its search is to watch.
    pub(super) fn begin(&self, plan: &Plan) -> Arc<Control> {
        let mut state = self.lock();
        let signals = state.current.as_ref().map_or(Signals::default(), |current| current.signals);
        let control = state.start(plan, signals, None);
        state.stop_if_abandoned();
        control
    }

    /// Sleeps until the answer of the current `go` may be given.
    pub(super) fn hold(&self) {
        let mut state = self.lock();
        while state.current.as_ref().is_some_and(|c| c.is_endless() && !c.signals.stop) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The current `go` was no search and needs no answer.
    pub(super) fn abandon(&self) {
        self.lock().current = None;
    }

    /// The current `go` is done. `print` gives its answer while no signal can come between; it is
    /// told which ones came. Returns after the answer is out.
    pub(super) fn finish(&self, print: impl FnOnce(Signals)) {
        let mut state = self.lock();
        print(state.current.take().map_or(Signals::default(), |current| current.signals));
        state.answered = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    fn plan(text: &str) -> Plan {
        let go = Go::parse(text);
        let infinite = go.infinite;
        Plan {
            limits: Limits::default(),
            ponder: go.ponder,
            infinite,
            runs_out: !infinite && go.depth.is_some(),
            evaluate_only: false,
        }
    }

    fn push(traffic: &Traffic, text: &str) {
        traffic.push(Command::Go(Go::parse(text)));
    }

    fn start(traffic: &Traffic, text: &str) -> Arc<Control> {
        assert!(matches!(traffic.next(), Task::Go(go) if go == Go::parse(text)));
        traffic.begin(&plan(text))
    }

    #[test]
    fn a_stop_reaches_every_go_read_before_it_and_none_after() {
        let traffic = Traffic::default();
        push(&traffic, "infinite");
        push(&traffic, "depth 3");
        traffic.stop();
        push(&traffic, "depth 4");
        assert!(start(&traffic, "infinite").is_stopped());
        traffic.hold();
        traffic.finish(|_| ());
        assert!(start(&traffic, "depth 3").is_stopped());
        traffic.finish(|_| ());
        assert!(!start(&traffic, "depth 4").is_stopped());
        traffic.stop();
        traffic.finish(|_| ());
    }

    #[test]
    fn a_stop_between_taking_and_starting_is_kept() {
        let traffic = Traffic::default();
        push(&traffic, "infinite");
        assert!(matches!(traffic.next(), Task::Go(_)));
        traffic.stop();
        assert!(traffic.begin(&plan("infinite")).is_stopped());
        traffic.hold();
    }

    #[test]
    fn an_idle_stop_is_a_command_unless_it_crossed_an_answer() {
        let traffic = Traffic::default();
        traffic.stop();
        assert!(matches!(traffic.next(), Task::Run(Command::Stop)));
        push(&traffic, "depth 1");
        start(&traffic, "depth 1");
        traffic.finish(|_| ());
        traffic.stop();
        traffic.push(Command::IsReady);
        assert!(matches!(traffic.next(), Task::Run(Command::IsReady)), "the first was swallowed");
        traffic.stop();
        assert!(matches!(traffic.next(), Task::Run(Command::Stop)), "the second is not");
    }

    #[test]
    fn an_endless_search_makes_way_for_the_next_go_only() {
        let traffic = Traffic::default();
        push(&traffic, "infinite");
        let control = start(&traffic, "infinite");
        traffic.push(Command::IsReady);
        assert!(!control.is_stopped());
        push(&traffic, "depth 2");
        assert!(control.is_stopped());
        traffic.hold();
        traffic.finish(|_| ());
        assert!(matches!(traffic.next(), Task::Run(Command::IsReady)));
        let finite = start(&traffic, "depth 2");
        push(&traffic, "ponder");
        push(&traffic, "depth 3");
        assert!(!finite.is_stopped());
        traffic.finish(|_| ());
        assert!(start(&traffic, "ponder").is_stopped(), "one already waits behind it");
    }

    #[test]
    fn a_ponderhit_goes_to_the_search_that_ponders() {
        let traffic = Traffic::default();
        traffic.ponder_hit(false);
        push(&traffic, "ponder depth 3");
        let control = start(&traffic, "ponder depth 3");
        assert!(control.is_pondering(), "an earlier ponderhit is gone");
        traffic.ponder_hit(true);
        assert!(!control.is_pondering() && !control.is_stopped());
        traffic.hold();
        traffic.finish(|signals| assert!(signals.draw));
        push(&traffic, "depth 1");
        push(&traffic, "ponder");
        start(&traffic, "depth 1");
        traffic.ponder_hit(false);
        traffic.finish(|signals| assert!(!signals.draw));
        assert!(!start(&traffic, "ponder").is_pondering());
    }

    #[test]
    fn the_end_of_input_stops_what_does_not_run_out() {
        for (text, stopped) in [("depth 9", false), ("time 5", true), ("infinite depth 9", true)] {
            let traffic = Traffic::default();
            push(&traffic, text);
            push(&traffic, text);
            let control = start(&traffic, text);
            traffic.end();
            assert_eq!(control.is_stopped(), stopped, "{text}");
            traffic.hold();
            traffic.finish(|_| ());
            assert_eq!(start(&traffic, text).is_stopped(), stopped, "{text}");
            traffic.finish(|_| ());
            assert!(matches!(traffic.next(), Task::End));
        }
    }

    #[test]
    fn a_file_is_played_to_its_end() {
        let traffic = Traffic::default();
        traffic.set_batch(true);
        push(&traffic, "time 5");
        push(&traffic, "infinite");
        let control = start(&traffic, "time 5");
        traffic.stop();
        assert!(traffic.quit());
        assert!(!control.is_stopped());
        traffic.finish(|_| ());
        assert!(start(&traffic, "infinite").is_stopped());
        traffic.hold();
    }

    #[test]
    fn quit_stops_everything() {
        let traffic = Traffic::default();
        push(&traffic, "depth 9");
        push(&traffic, "depth 9");
        let control = start(&traffic, "depth 9");
        assert!(!traffic.quit());
        assert!(control.is_stopped());
        traffic.finish(|_| ());
        assert!(start(&traffic, "depth 9").is_stopped());
        traffic.finish(|_| ());
        assert!(matches!(traffic.next(), Task::Quit));
    }
}
