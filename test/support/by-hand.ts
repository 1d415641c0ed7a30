/** One machine with hand-made performers: a test gives each outcome itself, in its own order, and reads the results. */

import {expect, onTestFinished, vi} from 'vitest';
import type {AnyEventObject, AnyStateMachine} from 'xstate';

import type {PortName, PortRequest} from '../../machines/ports.ts';
import {requestsOf} from '../machines/laws-record.ts';
import {type Coverage, noting} from './coverage.ts';
import {lockPorts, type Scenario, play, type Played} from './played.ts';

export interface ByHand {
  /** Paths of what waits for an outcome, and of timers, without the machine's own. */
  readonly open: () => readonly string[];
  /** Settles the one open request whose path holds `where`. */
  readonly settle: (where: string, outcome: object) => void;
  readonly send: (event: AnyEventObject) => void;
  /** Lets the one timer pass whose name holds `which`. */
  readonly pass: (which: string) => void;
  readonly requests: <P extends PortName>(port: P) => readonly PortRequest<P>[];
  readonly output: () => unknown;
  /** The machine's messages to its parent. */
  readonly messages: Played['messages'];
  /** The recorded facts. */
  readonly facts: Played['facts'];
  readonly reports: (type: string) => readonly unknown[];
}

const own = 'subject/';

const coverages = new Map<unknown, Coverage>();

/** The states and transitions that the tests of the running suite have gone through by hand. */
export function goneThrough(): Coverage {
  const {testPath} = expect.getState();
  const coverage = coverages.get(testPath) ?? {entered: new Set(), taken: new Set()};
  coverages.set(testPath, coverage);
  return coverage;
}

const outcomes: Scenario['outcomes'] = ({port}) => (lockPorts.includes(port) ? [] : [{}]);

/** The test fails when XState warns of anything before it is over. */
export function byHand(
  machine: AnyStateMachine,
  input: unknown,
  around: Omit<Scenario, 'machine' | 'input' | 'outcomes'> = {},
): ByHand {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => {
    const warnings = warn.mock.calls.map(([text]) => String(text));
    warn.mockRestore();
    expect(warnings).toEqual([]);
  });
  const played = play({...around, machine, input, outcomes}, noting(goneThrough()));
  const only = <Item>(items: readonly Item[], what: string): Item => {
    const [item, ...more] = items;
    if (item === undefined || more.length > 0) {
      throw new Error(`${items.length} of ${what} are open: ${played.open().join(', ')}`);
    }
    return item;
  };
  return {
    open: () => played.open().map((path) => path.replace(own, '')),
    settle(where, outcome) {
      const moves = played.moves().filter((move) => move.type === 'settle');
      const move = only(
        moves.filter(({path}) => path.includes(where)),
        where,
      );
      played.apply({...move, outcome});
    },
    send: (event) => played.apply({type: 'send', event}),
    pass(which) {
      const moves = played.moves().filter((move) => move.type === 'fire');
      played.apply(
        only(
          moves.filter(({timer}) => timer.includes(which)),
          which,
        ),
      );
    },
    requests: (port) => requestsOf(played.log, port).map(({request}) => request),
    output: () => (played.status() === 'working' ? undefined : played.output()),
    messages: played.messages,
    facts: played.facts,
    reports: (type) =>
      played.reports.filter(
        (each) => typeof each === 'object' && each && 'type' in each && each.type === type,
      ),
  };
}
