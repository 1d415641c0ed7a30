/** Charts with a bug: they throw where a test wants them to. */

import type {AnyStateMachine} from 'xstate';

export interface Bug {
  /** The type of the event at which the chart throws; `xstate.init` is its start. */
  readonly at: string;
  /** Whether the actor with this input or context is one that throws; without it, every actor does. */
  readonly isIn?: (holder: unknown) => boolean;
}

type Start = AnyStateMachine['getInitialSnapshot'];
type Step = AnyStateMachine['transition'];

/** The same chart, but for the bug. */
export function withBug<Machine extends AnyStateMachine>(machine: Machine, bug: Bug): Machine {
  const fail = (event: string, holder: unknown) => {
    if (event === bug.at && (bug.isIn?.(holder) ?? true)) throw new Error('a bug in a chart');
  };
  const start =
    (chart: Machine): Start =>
    (scope, input) => {
      fail('xstate.init', input);
      return chart.getInitialSnapshot(scope, input);
    };
  const step =
    (chart: Machine): Step =>
    (snapshot, event, scope) => {
      fail(event.type, snapshot.context);
      return chart.transition(snapshot, event, scope);
    };
  return new Proxy(machine, {
    get(chart, name): unknown {
      if (name === 'getInitialSnapshot') return start(chart);
      return name === 'transition' ? step(chart) : Reflect.get(chart, name, chart);
    },
  });
}
