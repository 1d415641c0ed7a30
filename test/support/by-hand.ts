/** One machine among puppets: a test gives each outcome itself, in the order of its lines, and reads what came of it. */

import {expect, onTestFinished, vi} from 'vitest';
import type {AnyStateMachine} from 'xstate';

import type {PortName, PortRequest} from '../../machines/ports.ts';
import {requestsOf} from '../machines/laws-record.ts';
import {startWorld, type World} from './world.ts';

export interface ByHand {
  /** Paths of what waits for an outcome, and of timers, without the machine's own. */
  readonly open: () => readonly string[];
  /** Settles the one open request whose path holds `where`. */
  readonly settle: (where: string, outcome: object) => void;
  /** Lets the one timer pass whose name holds `which`. */
  readonly pass: (which: string) => void;
  readonly requests: <P extends PortName>(port: P) => readonly PortRequest<P>[];
  readonly output: () => unknown;
  /** What the machine told its parent. */
  readonly told: World['heard'];
  readonly reports: (type: string) => readonly unknown[];
}

const own = 'subject/';

/** The test fails when XState warns of anything before it is over. */
export function byHand(machine: AnyStateMachine, input: unknown): ByHand {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => {
    const warnings = warn.mock.calls.map(([text]) => String(text));
    warn.mockRestore();
    expect(warnings).toEqual([]);
  });
  const world = startWorld({machine, input, outcomes: () => [{}]});
  const only = <Item>(items: readonly Item[], what: string): Item => {
    const [item, ...more] = items;
    if (item === undefined || more.length > 0) {
      throw new Error(`${items.length} of ${what} are open: ${world.open().join(', ')}`);
    }
    return item;
  };
  return {
    open: () => world.open().map((path) => path.replace(own, '')),
    settle(where, outcome) {
      const moves = world.moves().filter((move) => move.type === 'settle');
      const move = only(
        moves.filter(({path}) => path.includes(where)),
        where,
      );
      world.apply({...move, outcome});
    },
    pass(which) {
      const moves = world.moves().filter((move) => move.type === 'fire');
      world.apply(
        only(
          moves.filter(({timer}) => timer.includes(which)),
          which,
        ),
      );
    },
    requests: (port) => requestsOf(world.happenings, port).map(({request}) => request),
    output: () => (world.status() === 'working' ? undefined : world.output()),
    told: world.heard,
    reports: (type) =>
      world.reports.filter(
        (each) => typeof each === 'object' && each && 'type' in each && each.type === type,
      ),
  };
}
