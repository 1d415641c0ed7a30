/** XState's inspection events of a run. */

import {expect, test, vi} from 'vitest';
import type {InspectionEvent} from 'xstate';

import {createMemoryJournal} from '../../actors/journal/memory.ts';
import {parentOf} from '../../machines/tree/path.ts';
import {createScenario} from '../support/scenario.ts';
import {createTally, openTally} from '../support/tally.ts';

/** The ids of the actors that were started, with repetitions. */
function startedIn(seen: readonly InspectionEvent[]): unknown[] {
  return seen.flatMap(({type, actorRef}) =>
    type === '@xstate.actor' && 'id' in actorRef ? [actorRef.id] : [],
  );
}

test('an inspector receives the events of every actor and every step of a runtime', async () => {
  const seen: InspectionEvent[] = [];
  const {start} = createScenario({inspect: (event) => seen.push(event)});
  expect(await start().result).toMatchObject({status: 'completed'});
  expect(new Set(seen.map(({type}) => type))).toEqual(
    new Set([
      '@xstate.actor',
      '@xstate.event',
      '@xstate.snapshot',
      '@xstate.microstep',
      '@xstate.action',
    ]),
  );
  expect(startedIn(seen)).toEqual(expect.arrayContaining(['i', 'form', 'task:a', 'task:d']));
});

test('an inspector also receives the events of a replay', async () => {
  const first = createScenario();
  const run = first.start();
  for await (const event of run.events) if (event.type === 'plan.created') break;
  await run.suspend('interrupted');
  const seen: InspectionEvent[] = [];
  const again = createScenario({journal: first.journal, inspect: (event) => seen.push(event)});
  const resumed = await again.runtime.resume(run.id);
  expect(startedIn(seen)).toContain('form');
  expect(await resumed.result).toMatchObject({status: 'completed'});
});

test('without an inspector the charts receive no `inspect` option, so that XState makes no inspection events', async () => {
  const tally = createTally({id: 'a', log: createMemoryJournal().log});
  openTally(tally);
  await vi.waitFor(() => expect(tally.asked).toHaveLength(1));
  const [effect] = tally.engine.tree.effects.open;
  const root: unknown = effect && parentOf(effect.actor);
  expect(root).toHaveProperty('options');
  expect(root).not.toHaveProperty('options.inspect');
});
