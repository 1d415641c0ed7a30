/** A state that the lint calls a dead end is never left on random walks through random charts. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {type AnyStateMachine, createActor, type InspectionEvent, isMachineSnapshot} from 'xstate';

import {nodesOf} from '../../../../machines/testing/chart.ts';
import {lintChart} from '../../../../machines/testing/lint.ts';
import {isDeep} from '../../../support/depth.ts';
import {events, type Flags, randomChart} from './random-chart.ts';

test('no dead end is left on a walk', () => {
  let count = 0;
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const flags = {isOpen: false, isFull: false};
      const machine = randomChart(g, flags);
      const left = statesLeft(machine, flags, g);
      const ends = lintChart(machine, {rules: ['dead-end']});
      count += ends.length;
      expect(ends.filter(({state}) => left.has(stuckIn(machine, state)))).toEqual([]);
    }),
    {numRuns: isDeep ? 2500 : 200},
  );
  expect(count).toBeGreaterThan(0);
});

/** A state without a way out, or the final child of one that completes without a way on. */
function stuckIn({root}: AnyStateMachine, id: string): string {
  const node = nodesOf(root).find((each) => each.id === id);
  const children = Object.values(node?.states ?? {});
  return children.length === 0 ? id : (children.find(({type}) => type === 'final')?.id ?? id);
}

/** Fires one timer at a time, because due timers may set others for ever. */
class StepClock {
  readonly #timers = new Map<number, {readonly due: number; readonly fire: () => void}>();
  #count = 0;
  #now = 0;

  setTimeout(fire: () => void, delay: number): number {
    this.#count += 1;
    this.#timers.set(this.#count, {due: this.#now + delay, fire});
    return this.#count;
  }

  clearTimeout(id: number): void {
    this.#timers.delete(id);
  }

  fire(): void {
    const [next] = [...this.#timers].toSorted(([, one], [, other]) => one.due - other.due);
    if (next === undefined) return;
    this.#timers.delete(next[0]);
    this.#now = next[1].due;
    next[1].fire();
  }
}

/** Ids of states that were active before a step and not after it. */
function statesLeft(machine: AnyStateMachine, flags: Flags, g: fc.GeneratorValue): Set<string> {
  const left = new Set<string>();
  let active = new Set<string>();
  const inspect = (event: InspectionEvent) => {
    if (event.type !== '@xstate.microstep' || !isMachineSnapshot(event.snapshot)) return;
    const {_nodes: nodes} = event.snapshot;
    const now = new Set(nodes.map(({id}) => id));
    for (const id of active.difference(now)) left.add(id);
    active = now;
  };
  const clock = new StepClock();
  const actor = createActor(machine, {clock, inspect});
  actor.subscribe({error: () => {}});
  actor.start();
  for (let step = 0; step < steps && actor.getSnapshot().status === 'active'; step += 1) {
    Object.assign(flags, {isOpen: g(fc.boolean), isFull: g(fc.boolean)});
    if (g(fc.nat, {max: 3}) === 0) clock.fire();
    else actor.send({type: g(fc.constantFrom, ...events)});
  }
  actor.stop();
  return left;
}

const steps = 25;
