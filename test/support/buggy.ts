/** Charts with a bug: they throw at a chosen event. */

import type {AnyStateMachine} from 'xstate';

export interface Bug {
  /** The type of the event at which the chart throws; `xstate.init` is its start. */
  readonly at: string;
  /** True for an actor that throws, by its input or context; without it, every actor throws. */
  readonly isIn?: (holder: unknown) => boolean;
}

type Start = AnyStateMachine['getInitialSnapshot'];
type Step = AnyStateMachine['transition'];

/** The same chart with the bug. */
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
