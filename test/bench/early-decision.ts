/**
 * Time and calls saved by early decisions: a panel on its charts and a simulated clock, compared with the same panel waiting
 * for every ballot. The latencies are assumed, not measured.
 */

import {type AnyActorLogic, type AnyActorRef, createActor, setup} from 'xstate';

import {pollMachine} from '../../machines/panel/poll.ts';
import type {PollInput} from '../../machines/panel/polled.ts';
import {quorumMachine} from '../../machines/panel/quorum.ts';
import {openCount, pollOf, type QuorumInput} from '../../machines/panel/round.ts';
import {performFor} from '../../machines/ports.ts';
import {voting} from '../machines/events/outcomes.ts';
import {proposal} from '../machines/events/quorum.ts';
import {modelSeat} from '../machines/events/settings.ts';
import {createDice, type Roll} from '../support/dice.ts';
import type {Row} from './table.ts';

const rounds = 1_000;
const seats = ['a', 'b', 'c', 'd', 'e'].map(modelSeat);

/** Log-normal: half of all calls take longer than this; the spread is the deviation of the logarithm. */
const medianMs = 8_000;
const spread = 0.5;
/** One seat in five takes this many times as long, always. */
const stragglerFactor = 4;
const approvals = 0.8;

/** Tokens of one call. Input is paid for when it is sent; output is streamed evenly. */
const inputTokens = 3_000;
const outputTokens = 400;

const input: QuorumInput = {
  round: 1,
  proposal,
  seats,
  settings: {
    rule: 'majority',
    screen: [],
    minParticipation: 1,
    deadlineMs: 120_000,
    feedbackGraceMs: 5_000,
  },
  maxOutputTokens: 1_000,
  background: [],
  history: [],
};

/** The verdict of a seat, and its latency. */
interface Ballot {
  readonly verdict: string;
  readonly latencyMs: number;
}

function drawBallots(roll: Roll): readonly Ballot[] {
  const fraction = () => (roll(1_000_000) + 0.5) / 1_000_000;
  return seats.map((_, index) => {
    const normal = Math.sqrt(-2 * Math.log(fraction())) * Math.cos(2 * Math.PI * fraction());
    const factor = index === 0 ? stragglerFactor : 1;
    return {
      verdict: fraction() < approvals ? 'approve' : 'reject',
      latencyMs: medianMs * Math.exp(spread * normal) * factor,
    };
  });
}

interface Simulated {
  readonly decidedMs: number;
  /** For each aborted call, the elapsed fraction of its time. */
  readonly brokenOff: readonly number[];
}

/** Time that passes from one due timer to the next. */
function createClock() {
  const due = new Map<number, {readonly at: number; readonly run: () => void}>();
  let now = 0;
  let count = 0;
  return {
    now: () => now,
    setTimeout(run: () => void, ms: number): number {
      count += 1;
      due.set(count, {at: now + ms, run});
      return count;
    },
    clearTimeout: (timer: number) => due.delete(timer),
    /** True when a ballot was still pending. */
    pass(): boolean {
      const [next] = [...due].toSorted(([, one], [, other]) => one.at - other.at);
      if (!next) return false;
      const [timer, {at, run}] = next;
      due.delete(timer);
      now = at;
      run();
      return true;
    },
  };
}

function simulate(logic: AnyActorLogic, about: unknown, ballots: readonly Ballot[]): Simulated {
  const clock = createClock();
  const actor = createActor(logic, {input: about, clock});
  const calls = new Map<AnyActorRef, {readonly timer: number; readonly latencyMs: number}>();
  const brokenOff: number[] = [];
  performFor(actor.system, {
    request({request}, caller) {
      const place = seats.findIndex(({model}) => 'model' in request && request.model === model);
      const {verdict = '', latencyMs = 0} = ballots[place] ?? {};
      const outcome = {...voting(verdict), at: clock.now() + latencyMs, ms: latencyMs};
      const settle = (): void => {
        calls.delete(caller);
        caller.send({type: 'effect.settled', outcome});
      };
      calls.set(caller, {timer: clock.setTimeout(settle, latencyMs), latencyMs});
    },
    withdraw(caller) {
      const call = calls.get(caller);
      if (!call) return;
      clock.clearTimeout(call.timer);
      brokenOff.push(clock.now() / call.latencyMs);
    },
    report() {},
  });
  actor.start();
  while (actor.getSnapshot().status === 'active' && clock.pass());
  return {decidedMs: clock.now(), brokenOff};
}

const types: {input?: PollInput; context?: PollInput} = {};

/** Asks every seat, and is done when all have answered. */
const waitingMachine = setup({
  types,
  actors: {poll: pollMachine},
}).createMachine({
  id: 'waiting',
  context: ({input: poll}) => poll,
  initial: 'waiting',
  states: {
    waiting: {invoke: {src: 'poll', id: 'poll', input: ({context}) => context, onDone: 'done'}},
    done: {type: 'final'},
  },
});

export function measureEarlyDecision(): readonly Row[] {
  const roll = createDice(5);
  const panels = Array.from({length: rounds}, () => drawBallots(roll));
  const early = panels.map((ballots) => simulate(quorumMachine, input, ballots));
  const poll = pollOf(openCount(input));
  const waited = panels.map((ballots) => simulate(waitingMachine, poll, ballots));
  const calls = rounds * seats.length;
  const brokenOff = early.flatMap((each) => each.brokenOff);
  const unwritten = brokenOff.reduce((sum, share) => sum + (1 - share), 0) * outputTokens;
  return [
    ...timeRows('panel of 5, simulated: decided early', early),
    ...timeRows('panel of 5, simulated: all waited for', waited),
    {label: 'panel of 5, simulated: calls broken off', ...percent(brokenOff.length, calls)},
    {label: 'panel of 5, simulated: tokens out saved', ...percent(unwritten, calls * outputTokens)},
    {
      label: 'panel of 5, simulated: tokens saved',
      ...percent(unwritten, calls * (inputTokens + outputTokens)),
    },
  ];
}

function percent(part: number, whole: number): Pick<Row, 'ours' | 'unit'> {
  return {ours: (part / whole) * 100, unit: '%'};
}

function timeRows(label: string, simulated: readonly Simulated[]): readonly Row[] {
  const sorted = simulated.map(({decidedMs}) => decidedMs / 1_000).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return [
    {label: `${label}, median`, ours: at(0.5), unit: 's'},
    {label: `${label}, 95th percentile`, ours: at(0.95), unit: 's'},
  ];
}
