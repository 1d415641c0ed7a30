/** The view of a tree of interactions: each of them, and all of them together. */

import {expect, test} from 'vitest';

import {advance} from '../../../../cli/render/view/fold.ts';
import {interactionIn, rootOf} from '../../../../cli/render/view/interactions.ts';
import {emptyView, type RunView} from '../../../../cli/render/view/run-view.ts';
import type {Report} from '../../../../machines/facts/progress.ts';
import {baseResult} from '../../fake-run.ts';

type Spoken = readonly [interaction: string, report: Report];

function viewAfter(view: RunView, ...spoken: readonly Spoken[]): RunView {
  return spoken.reduce(
    (before, [interaction, report], seq) =>
      advance(before, {...report, seq, at: seq, interaction, actor: ''}),
    view,
  );
}

function seen(...spoken: readonly Spoken[]): RunView {
  return viewAfter(emptyView, ...spoken);
}

const started: Spoken = [
  'r',
  {type: 'interaction.started', form: 'agent', request: 'Mend the test'},
];

function phase(interaction: string, name: string): Spoken {
  return [interaction, {type: 'phase.changed', phase: name}];
}

function begun(interaction: string, task: string): Spoken {
  return [interaction, {type: 'task.started', task, description: `Task ${task}`}];
}

function usage(interaction: string, costUsd: number, totalUsd: number): Spoken {
  const tokens = {inputTokens: 100, outputTokens: 10, cachedTokens: 0};
  return [
    interaction,
    {
      type: 'usage',
      model: 'm',
      spent: {...tokens, modelCalls: 1, costUsd},
      totals: {...tokens, modelCalls: 9, costUsd: totalUsd},
    },
  ];
}

test('an interaction below has its own phase, plan and writes', () => {
  const plan = {objective: 'below', reasoning: '', tasks: []};
  const view = seen(
    started,
    phase('r', 'executing'),
    phase('r.1', 'planning'),
    ['r', {type: 'model.delta', model: 'm', text: 'I mend'}],
    ['r.1', {type: 'model.delta', model: 'm', text: 'I answer'}],
    ['r.1', {type: 'plan.created', plan, by: 'm'}],
  );
  expect(rootOf(view)).toMatchObject({
    id: 'r',
    form: 'agent',
    request: 'Mend the test',
    depth: 0,
    parent: undefined,
    phase: 'executing',
    plan: undefined,
    talk: {text: 'I mend'},
  });
  expect(interactionIn(view, 'r.1')).toMatchObject({
    depth: 1,
    parent: 'r',
    phase: 'planning',
    plan,
    talk: {text: 'I answer'},
  });
});

test('interactions are below their parents by number, for every order of reports', () => {
  const ids = ['r', 'r.10', 'r.2.1.1', 'r.1', 'r.2.2'];
  const view = seen(...ids.map((id) => phase(id, 'working')));
  expect(view.interactions.map(({id}) => id)).toEqual([
    'r',
    'r.1',
    'r.2',
    'r.2.1',
    'r.2.1.1',
    'r.2.2',
    'r.10',
  ]);
});

test('the usage of each interaction adds up separately from the total of the run', () => {
  const view = seen(usage('r', 0.5, 0.5), usage('r.1', 0.25, 0.75), usage('r.1', 0.25, 1));
  expect(rootOf(view).spent).toMatchObject({modelCalls: 1, inputTokens: 100, costUsd: 0.5});
  expect(interactionIn(view, 'r.1')?.spent).toMatchObject({modelCalls: 2, costUsd: 0.5});
  expect(view.usage).toMatchObject({modelCalls: 9, costUsd: 1});
});

const question = {
  kind: 'action',
  request: '',
  reason: '',
  proposalHash: '',
  history: [],
  allowed: [],
} as const;

test('an interaction that has ended leaves nothing running in it or below it, and does not affect others', () => {
  const view = seen(
    started,
    begun('r', 'a'),
    begun('r.1', 'a'),
    begun('r.1.1', 'a'),
    begun('r.2', 'a'),
    ['r.1', {type: 'tool.called', tool: 'read_file', summary: 'read_file x'}],
    ['r.1.1', {type: 'human.requested', gate: 'below', question}],
    ['r.2', {type: 'human.requested', gate: 'beside', question}],
    ['r', {type: 'interaction.settled', child: 'r.1', status: 'cancelled', summary: 'Cancelled.'}],
  );
  expect(view.interactions.map(({id, state}) => [id, state])).toEqual([
    ['r', 'running'],
    ['r.1', 'cancelled'],
    ['r.1.1', 'cutOff'],
    ['r.2', 'running'],
  ]);
  expect(interactionIn(view, 'r.1')).toMatchObject({
    summary: 'Cancelled.',
    calls: [{state: 'cutOff'}],
  });
  expect(view.tasks.map(({interaction, state}) => [interaction, state])).toEqual([
    ['r', 'running'],
    ['r.1', 'cutOff'],
    ['r.1.1', 'cutOff'],
    ['r.2', 'running'],
  ]);
  expect(view.gates).toMatchObject([{interaction: 'r.2', gate: 'beside'}]);
});

test('a phase of one interaction loses no task of another', () => {
  const working = seen(phase('r', 'executing'), begun('r', 'a'), phase('r.1', 'executing'));
  const view = viewAfter(working, begun('r.1', 'a'), phase('r.1', 'evaluating'));
  expect(view.tasks).toMatchObject([
    {interaction: 'r', state: 'running'},
    {interaction: 'r.1', state: 'lost'},
  ]);
});

test.each([
  ['waiting', 'waiting', 'running'],
  ['completed', 'cutOff', 'cutOff'],
] as const)(
  'a run that ends as %s says so of its root, and what is left below is %s',
  (status, state, task) => {
    const result = {
      ...baseResult,
      interaction: 'r',
      status,
      tasks: [
        {
          id: 'a',
          description: '',
          status: 'succeeded',
          output: '',
          evidence: [],
          written: [],
        } as const,
      ],
    };
    const view = seen(started, begun('r', 'a'), begun('r.1', 'a'), ['r', result]);
    expect(view.interactions.map((one) => one.state)).toEqual([status, state]);
    expect(view.tasks.map((one) => one.state)).toEqual(['succeeded', task]);
  },
);

const why = {form: 'ask', request: 'Why?', contextMode: 'projected', by: 'model'} as const;

test('the beginning and the outcome of an interaction are known, and so are failed beginnings', () => {
  const error = {code: 'maxDepthExceeded', message: 'too deep'};
  const view = seen(
    started,
    ['r', {type: 'interaction.spawned', child: 'r.1', parent: 'r', depth: 1, ...why}],
    ['r.1', {type: 'interaction.refused', parent: 'r.1', form: 'discuss', error}],
    [
      'r',
      {
        type: 'interaction.settled',
        child: 'r.1',
        status: 'completed',
        summary: 'Answered.',
        text: '[Ask Result]: Because.',
      },
    ],
  );
  expect(interactionIn(view, 'r.1')).toMatchObject({
    ...why,
    state: 'completed',
    summary: 'Answered.',
    text: '[Ask Result]: Because.',
    refusals: [{form: 'discuss', error}],
  });
});
