/** The overview and the waterfall of the inspector's page: the spans of a run, their order and their places on the axis of time. */

import {expect, test} from 'vitest';

import {
  axisOf,
  callsIn,
  rowsOf,
  spansOf,
} from '../../../../cli/inspect/page/browser/derived/timeline.ts';
import type {Plan} from '../../../../machines/domain/plan.ts';
import type {Report} from '../../../../machines/facts/progress.ts';
import type {Moments} from '../../../../machines/trace/moments.ts';
import type {Step, ModelCall} from '../../../../machines/trace/step.ts';
import {baseRound} from '../../fake-run.ts';
import {entry, momentsOf, reported, requested} from './moments.ts';

const form = 'i/interaction/form';
const panel = `${form}/quorum`;
const execution = `${form}/execution`;

const task: Plan['tasks'][number] = {
  id: 't1',
  description: 'Write it',
  depends_on: [],
  timeout_ms: 1000,
  context_mode: 'full',
};

const plan: Plan = {objective: 'A note', reasoning: '', tasks: [task]};

const started: Report = {
  type: 'quorum.started',
  round: 1,
  kind: 'plan',
  title: 'A note',
  rule: 'majority',
  seats: ['a', 'b'],
};

const decided: Report = {
  ...baseRound,
  type: 'quorum.decided',
  title: 'A note',
  proposalHash: 'f0',
  seats: ['a', 'b'],
  weights: {},
  participation: {cast: 1, required: 1},
  verdict: 'approved',
  approved: true,
  summary: '[●·]',
  timestamp: 3,
};

function ballotOf(seat: string): string {
  return `${panel}/poll/seat:${seat}/call/model`;
}

function settled(key: string, kind = 'ok'): Partial<Step> {
  return entry({type: 'settled', key, outcome: {kind}});
}

const change = {path: 'note.txt', added: 1, removed: 0};
const call = `${execution}/task:t1/call`;

/** A run whose plan is approved before the second ballot is in. */
const run = momentsOf(
  {
    ...entry({type: 'opened', input: {form: 'agent', request: 'Write a note'}}),
    ...reported(form, {type: 'phase.changed', phase: 'planning'}),
    requests: requested(`${form}/planning/model#1`, 'callModel', 'mock/planner').requests ?? [],
  },
  {
    ...settled(`${form}/planning/model#1`),
    reports: [
      {report: {type: 'plan.created', plan, by: 'mock/planner'}, actor: form},
      {report: started, actor: panel},
    ],
    requests: ['a', 'b'].map((seat) => ({
      key: `${ballotOf(seat)}#1`,
      port: 'callModel',
      actor: ballotOf(seat),
      label: seat,
    })),
  },
  {
    ...settled(`${ballotOf('a')}#1`),
    changes: [{change: 'ended', path: panel}],
    reports: [
      {report: decided, actor: panel},
      {report: {type: 'task.started', task: 't1', description: 'Write it'}, actor: execution},
    ],
  },
  reported(call, {type: 'tool.called', tool: 'write_file', summary: 'write_file note.txt'}),
  settled(`${ballotOf('b')}#1`, 'cancelled'),
  {
    reports: [
      {
        report: {
          type: 'tool.settled',
          tool: 'write_file',
          status: 'succeeded',
          message: '',
          changes: [change],
        },
        actor: call,
      },
      {
        report: {type: 'task.settled', task: 't1', status: 'succeeded', message: 'done'},
        actor: `${execution}/task:t1`,
      },
      {report: {type: 'phase.changed', phase: 'closing'}, actor: form},
    ],
  },
  entry({type: 'closed', result: {status: 'completed', answer: 'It is there.'}}),
);

function linesOf(moments: Moments): string[] {
  return rowsOf(spansOf(moments).all).map(({span, level}) => {
    const {kind, text, began, ended, outcome, isCancelled} = span;
    const state = isCancelled ? 'cancelled' : outcome;
    return `${'  '.repeat(level)}${kind} ${text} ${began}-${ended} ${state}`.trimEnd();
  });
}

test('a run is a tree of spans, each with its steps and its outcome, and a withdrawn ballot is cancelled', () => {
  expect(linesOf(run)).toEqual([
    'request Write a note 0-6 completed',
    'plan A note 0-1',
    '  model mock/planner 0-1 ok',
    'vote A note 1-2 approved',
    '  model a 1-2 ok',
    '  model b 1-2 cancelled',
    'task Write it 2-5 succeeded',
    '  change note.txt +1 −0 3-5',
    'answer It is there. 5-6 completed',
  ]);
});

test('a task without an end is open, and a vote whose beginning was not seen begins with its decision', () => {
  const moments = momentsOf(
    reported(panel, decided),
    reported(execution, {type: 'task.started', task: 't1', description: 'Write it'}),
  );
  expect(linesOf(moments)).toEqual(['vote A note 0-0 approved', 'task Write it 1--1']);
});

function calledBy(actor: string, at: number): ModelCall {
  const about = {purpose: 'plan', model: 'mock/a', prompt: []} as const;
  return {key: `${actor}#1`, actor, requested: at, ...about};
}

test('a call belongs to the span in whose steps and actors it was requested', () => {
  const calls = [calledBy(`${form}/planning/model`, 0), calledBy(ballotOf('a'), 1)];
  const of = (kind: string): string[] => {
    const span = spansOf(run).all.find((each) => each.kind === kind);
    return span ? callsIn(span, calls, run.steps).map(({actor}) => actor) : [];
  };
  expect(of('request')).toHaveLength(2);
  expect(of('plan')).toEqual([`${form}/planning/model`]);
  expect(of('vote')).toEqual([ballotOf('a')]);
  expect(of('task')).toEqual([]);
});

test('on the axis of time a wait for a person takes a small part', () => {
  const asked = requested('i/gate#1', 'askHuman').requests ?? [];
  const again = requested('i/model#2', 'callModel').requests ?? [];
  const moments = momentsOf(
    {at: 0, ...requested('i/model#1', 'callModel')},
    {at: 10_000, ...settled('i/model#1'), requests: asked},
    {at: 5_010_000, ...settled('i/gate#1'), requests: again},
    {at: 5_020_000, ...settled('i/model#2')},
  );
  const places = axisOf(moments.steps, spansOf(moments).all);
  expect(places.map((place) => place.toFixed(2))).toEqual(['0.00', '0.48', '0.52', '1.00']);
});
