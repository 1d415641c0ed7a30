/** A run whose events are written by the test, without charts: the contract that the launcher relies on. */

import {nextTurn} from '../../actors/engine/slices.ts';
import type {OpenGate, Run, RunEvent} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {RunResult, Waiting} from '../../machines/domain/result.ts';
import type {ReviewRound} from '../../machines/domain/review.ts';
import type {ProgressEvent, Report} from '../../machines/facts/progress.ts';

export interface FakeRun extends Run {
  readonly report: (report: Report) => void;
  readonly openGate: (gate: Omit<OpenGate, 'interaction'>) => void;
  readonly closeGate: (gate: string) => void;
  readonly end: (result?: Partial<RunResult>) => void;
  /** The number of events that were processed. */
  readonly seen: () => number;
  readonly sent: RunEvent[];
  readonly suspensions: string[];
}

export const baseResult: RunResult = {
  type: 'result',
  status: 'completed',
  exitCode: 0,
  interaction: 'run-1',
  form: 'agent',
  summary: 'All done.',
  usage: {modelCalls: 3, inputTokens: 1200, outputTokens: 34, cachedTokens: 0, costUsd: 0.25},
};

/** A plan that its only reviewer rejected. */
export const baseRound: ReviewRound = {
  round: 1,
  kind: 'plan',
  title: 'Write it',
  proposalHash: 'f',
  rule: 'majority',
  seats: ['a'],
  weights: {},
  vetoes: [],
  participation: {cast: 1, required: 1},
  verdict: 'rejected',
  approved: false,
  votes: [],
  summary: '[○]',
  early: false,
  withdrawn: [],
  degraded: false,
  timestamp: 0,
};

function waitingFor({question}: OpenGate): Waiting {
  const {history: votes, proposalHash: digest} = question;
  return {question, workspace: '/work/here', votes, digest};
}

export function createFakeRun({
  onSend = () => {},
  atWork = () => [],
}: {onSend?: (event: RunEvent) => void; atWork?: () => readonly string[]} = {}): FakeRun {
  const queue: ProgressEvent[] = [];
  const gates = new Map<string, OpenGate>();
  const {promise: result, resolve} = Promise.withResolvers<RunResult>();
  let wake: (() => void) | undefined;
  let seq = 0;
  let ended = false;
  let seen = 0;

  const push = (report: Report): void => {
    seq += 1;
    queue.push({...report, seq, at: 1_700_000_000_000 + seq, interaction: 'run-1', actor: ''});
    wake?.();
  };
  const end = (overrides: Partial<RunResult> = {}): void => {
    if (ended) return;
    const full = {...baseResult, ...overrides};
    push(full);
    ended = true;
    resolve(full);
    wake?.();
  };
  const run: FakeRun = {
    id: 'run-1',
    opened: Promise.resolve(),
    events: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const event = queue.shift();
          if (event) {
            yield event;
            seen += 1;
          } else if (ended) return;
          else await new Promise<void>((next) => (wake = next));
        }
      },
    },
    result,
    interactions: () => [],
    asks: () => [],
    interview: () => undefined,
    gates: () => [...gates.values()],
    atWork: () => atWork(),
    quiet: async () => {
      if (ended) return 'ended';
      if (gates.size > 0 && atWork().length === 0) return 'asked';
      await nextTurn();
      return await run.quiet();
    },
    positionOf: () => undefined,
    eventsAfter: () => undefined,
    underWay: () => [],
    seen: () => seen,
    sent: [],
    suspensions: [],
    send: (event) => {
      run.sent.push(event);
      if (event.type === 'human.decided' && !gates.has(event.gate ?? '')) {
        throw new AppError('nothing_waiting', 'no such gate is open');
      }
      onSend(event);
    },
    suspend: async (why) => {
      run.suspensions.push(why);
      const [open] = gates.values();
      end({
        status: 'waiting',
        exitCode: why === 'waiting' ? 4 : 130,
        summary: 'Suspended.',
        ...(open && why === 'waiting' ? {waiting: waitingFor(open)} : {}),
      });
    },
    report: push,
    openGate: (gate) => {
      gates.set(gate.gate, {...gate, interaction: 'run-1'});
      push({type: 'human.requested', ...gate});
    },
    closeGate: (gate) => void gates.delete(gate),
    end,
  };
  return run;
}
