/** The history of a run describes the run itself, not the interactions below it. */

import {expect, test} from 'vitest';

import {createMemoryJournal} from '../../../actors/index.ts';
import type {Entry, EntryBody} from '../../../actors/journal/journal.ts';
import {editGround, ensembleIn, latestPlan} from '../../../cli/past/history.ts';

function planOf(objective: string) {
  return {objective, reasoning: 'r', tasks: [{id: '1', description: objective}]};
}

function drafted(below: string, objective: string): EntryBody {
  return {
    type: 'settled',
    key: `i/interaction/${below}form/planning/call#1`,
    request: 'd',
    ms: 1,
    outcome: {
      kind: 'ok',
      text: '',
      calls: [{id: 'c', name: 'create_plan', args: planOf(objective)}],
    },
  };
}

function edited(below: string, objective: string): EntryBody {
  const gate = `i/interaction/${below}form/gate#1`;
  return {
    type: 'received',
    event: {type: 'human.decided', decision: 'edit', gate, plan: planOf(objective)},
  };
}

function chosen(below: string, by: string): EntryBody {
  const actor = `interaction/${below}form/planning`;
  return {type: 'noted', note: {type: 'ensemble.chosen', by, drafts: [], actor}};
}

function asked(objective: string, proposalHash: string): EntryBody {
  const question = {plan: planOf(objective), proposalHash};
  return {type: 'noted', note: {type: 'human.requested', question, actor: ''}};
}

function entriesOf(...bodies: readonly EntryBody[]): readonly Entry[] {
  const {log} = createMemoryJournal();
  const input = {settings: {tools: []}};
  log.append([
    {interaction: 'r', bodies: [{type: 'opened', version: 'v', input}, ...bodies], at: 1},
  ]);
  return log.read('r');
}

const below = 'interaction:r.1/';

test.each([
  ['drafted', drafted],
  ['edited', edited],
])('a plan that is %s below does not count as the plan of the run', (_, planned) => {
  const entries = entriesOf(planned('', 'Its own'), planned(below, 'Another'));
  expect(latestPlan(entries)?.objective).toBe('Its own');
});

test('the drafts of planners below do not count as drafts of the run', () => {
  const entries = entriesOf(chosen(below, 'another'), chosen('', 'its-own'));
  expect(ensembleIn(entries)?.by).toBe('its-own');
});

test('an edited plan is compared with the plan of the named digest, or with the latest one', () => {
  const entries = entriesOf(asked('First', 'aa11'), asked('Second', 'bb22'));
  expect(editGround(entries).plan?.objective).toBe('Second');
  expect(editGround(entries, 'aa').plan?.objective).toBe('First');
});
