/** The view of a run, of a tree of interactions, and of several runs of one person. */

import {expect, test} from 'vitest';

import {advance} from '../../../cli/render/view/fold.ts';
import {interactionIn, rootOf} from '../../../cli/render/view/interactions.ts';
import {type RunView, emptyView} from '../../../cli/render/view/run-view.ts';
import {
  advanceSession,
  emptySession,
  findPlace,
  placeOf,
  runOf,
  withRun,
} from '../../../cli/render/view/session-view.ts';
import type {ModelVote, ReviewRound} from '../../../machines/domain/review.ts';
import type {Report} from '../../../machines/facts/progress.ts';
import {baseResult} from '../fake-run.ts';

/** The view after the reports of one interaction, or of the interactions in `from`. */
function viewOf(...reports: readonly (Report & {readonly from?: string})[]): RunView {
  return treeViewOf(...reports.map(({from = 'i', ...report}): Spoken => [from, report]));
}

const twoTasks: Report = {
  type: 'plan.created',
  by: 'planner',
  plan: {
    objective: 'o',
    reasoning: 'r',
    tasks: [
      {id: 'a', description: 'First', context_mode: 'projected'},
      {id: 'b', description: 'Second', context_mode: 'projected'},
    ],
  },
};

function taskStarted(task: string): Report {
  return {type: 'task.started', task, description: `Task ${task}`};
}

function called(tool: string, task?: string): Report {
  return {type: 'tool.called', tool, summary: `${tool} x`, task};
}

function settled(tool: string, task?: string, status = 'succeeded'): Report {
  return {type: 'tool.settled', tool, status, message: 'm', task};
}

function vote(model: string): ModelVote {
  return {
    model,
    approved: true,
    verdict: 'approve',
    reasoning: '',
    reasons: ['fine'],
    confidence: 1,
  };
}

test('a plan shows its tasks before any of them begins', () => {
  const view = viewOf(twoTasks);
  const {tasks} = view;
  expect(rootOf(view).plan?.objective).toBe('o');
  expect(tasks).toMatchObject([
    {id: 'a', description: 'First', state: 'planned'},
    {id: 'b', description: 'Second', state: 'planned'},
  ]);
});

test.each([
  ['after', [taskStarted('a'), called('read_file', 'a')]],
  ['before', [called('read_file', 'a'), taskStarted('a')]],
])('a call that is reported %s its task is below it', (_, reports) => {
  const view = viewOf(twoTasks, ...reports);
  const {tasks} = view;
  expect(rootOf(view).calls).toEqual([]);
  expect(tasks[0]).toMatchObject({
    id: 'a',
    state: 'running',
    calls: [{tool: 'read_file', state: 'running'}],
  });
});

test('of equal concurrent calls the first one settles first, and a refused call has never begun', () => {
  const {tasks} = viewOf(
    taskStarted('a'),
    called('read_file', 'a'),
    called('read_file', 'a'),
    settled('read_file', 'a', 'failed'),
    settled('write_file', 'a', 'refused'),
  );
  expect(tasks[0]?.calls).toMatchObject([
    {tool: 'read_file', state: 'failed'},
    {tool: 'read_file', state: 'running'},
    {tool: 'write_file', summary: '', state: 'refused'},
  ]);
});

test('a settled task has no running calls', () => {
  const done: Report = {type: 'task.settled', task: 'a', status: 'failed', message: 'too slow'};
  const {tasks} = viewOf(taskStarted('a'), called('run_command', 'a'), done);
  expect(tasks).toMatchObject([{state: 'failed', message: 'too slow', calls: [{state: 'cutOff'}]}]);
});

test('a task that crashes without a report is lost once the work has ended', () => {
  const working = [
    twoTasks,
    {type: 'phase.changed', phase: 'executing'},
    taskStarted('a'),
  ] as const;
  expect(viewOf(...working).tasks[0]?.state).toBe('running');
  const after = viewOf(...working, {type: 'phase.changed', phase: 'evaluating'});
  expect(after.tasks).toMatchObject([{id: 'a', state: 'lost'}, {state: 'planned'}]);
});

test('the result settles all open parts with its data, and marks unreached ones', () => {
  const tasks = [
    {id: 'a', description: 'First', status: 'failed', failure: {code: 'crashed', message: 'boom'}},
  ];
  const result = JSON.parse(JSON.stringify({...baseResult, status: 'failed', tasks}));
  const view = viewOf(twoTasks, taskStarted('a'), called('read_file'), result);
  expect(view.tasks).toMatchObject([
    {id: 'a', state: 'failed', message: 'boom'},
    {id: 'b', state: 'notReached'},
  ]);
  expect(viewOf(taskStarted('z'), result).tasks).toMatchObject([{state: 'cutOff'}]);
  expect(rootOf(view).calls).toMatchObject([{state: 'cutOff'}]);
  expect(view.result?.status).toBe('failed');
});

test('a run that waits keeps its tasks running: they continue later', () => {
  const view = viewOf(twoTasks, taskStarted('a'), {...baseResult, status: 'waiting', exitCode: 4});
  expect(view.tasks).toMatchObject([{state: 'running'}, {state: 'planned'}]);
});

test('another plan replaces tasks that have not begun and keeps the others', () => {
  const next: Report = {
    ...twoTasks,
    type: 'plan.revised',
    revision: 1,
    plan: {
      objective: 'p',
      reasoning: 'r',
      tasks: [{id: 'c', description: 'Third', context_mode: 'projected'}],
    },
  };
  expect(viewOf(twoTasks, taskStarted('a'), next).tasks.map(({id}) => id)).toEqual(['a', 'c']);
});

test('tasks of two interactions do not mix, though their names are equal', () => {
  const {tasks} = viewOf(
    {...taskStarted('a'), from: 'i'},
    {...taskStarted('a'), from: 'i.1'},
    {...called('read_file', 'a'), from: 'i.1'},
  );
  expect(tasks).toMatchObject([
    {interaction: 'i', calls: []},
    {interaction: 'i.1', calls: [{tool: 'read_file'}]},
  ]);
});

function open(title: string): Report {
  return {
    type: 'quorum.started',
    round: 1,
    kind: 'action',
    title,
    rule: 'majority',
    seats: ['x', 'y'],
  };
}

function cast(model: string): Report {
  return {type: 'ballot.cast', round: 1, kind: 'action', vote: vote(model)};
}

test('concurrent votes keep their ballots, and a decided one has the votes of its record', () => {
  const record: ReviewRound = JSON.parse(
    JSON.stringify({
      round: 1,
      kind: 'action',
      title: 'one',
      verdict: 'approved',
      votes: [vote('y')],
    }),
  );
  const before = viewOf(open('one'), open('two'), cast('x'), cast('x'));
  expect(before.rounds.map(({votes}) => votes.length)).toEqual([1, 1]);
  const after = advance(before, {
    ...record,
    type: 'quorum.decided',
    seq: 9,
    at: 9,
    interaction: 'i',
    actor: '',
  });
  expect(after.rounds).toMatchObject([
    {title: 'one', decided: {verdict: 'approved'}, votes: [{model: 'y'}]},
    {title: 'two', decided: undefined},
  ]);
});

test('gates, warnings and usage are the latest reported', () => {
  const question = {
    kind: 'action',
    request: '',
    reason: '',
    proposalHash: '',
    history: [],
    allowed: [],
  } as const;
  const asked = (gate: string): Report => ({type: 'human.requested', gate, question});
  const view = viewOf(
    asked('g1'),
    asked('g2'),
    {type: 'human.decided', gate: 'g1', decision: 'approve', proposalHash: 'h', by: 'person'},
    {type: 'warning', message: 'careful'},
    {
      type: 'usage',
      model: 'm',
      spent: baseResult.usage,
      totals: {...baseResult.usage, modelCalls: 7},
    },
  );
  expect(view.gates.map(({gate}) => gate)).toEqual(['g2']);
  expect(view.warnings).toEqual(['careful']);
  expect(view.usage?.modelCalls).toBe(7);
});

type Spoken = readonly [interaction: string, report: Report];

function viewAfter(view: RunView, ...spoken: readonly Spoken[]): RunView {
  return spoken.reduce(
    (before, [interaction, report], seq) =>
      advance(before, {...report, seq, at: seq, interaction, actor: ''}),
    view,
  );
}

function treeViewOf(...spoken: readonly Spoken[]): RunView {
  return viewAfter(emptyView, ...spoken);
}

const runStarted: Spoken = [
  'r',
  {type: 'interaction.started', form: 'agent', request: 'Mend the test'},
];

function phaseOf(interaction: string, name: string): Spoken {
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
  const view = treeViewOf(
    runStarted,
    phaseOf('r', 'executing'),
    phaseOf('r.1', 'planning'),
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
  const view = treeViewOf(...ids.map((id) => phaseOf(id, 'working')));
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
  const view = treeViewOf(usage('r', 0.5, 0.5), usage('r.1', 0.25, 0.75), usage('r.1', 0.25, 1));
  expect(rootOf(view).spent).toMatchObject({modelCalls: 1, inputTokens: 100, costUsd: 0.5});
  expect(interactionIn(view, 'r.1')?.spent).toMatchObject({modelCalls: 2, costUsd: 0.5});
  expect(view.usage).toMatchObject({modelCalls: 9, costUsd: 1});
});

const openQuestion = {
  kind: 'action',
  request: '',
  reason: '',
  proposalHash: '',
  history: [],
  allowed: [],
} as const;

test('an interaction that has ended leaves nothing running in it or below it, and does not affect others', () => {
  const view = treeViewOf(
    runStarted,
    begun('r', 'a'),
    begun('r.1', 'a'),
    begun('r.1.1', 'a'),
    begun('r.2', 'a'),
    ['r.1', {type: 'tool.called', tool: 'read_file', summary: 'read_file x'}],
    ['r.1.1', {type: 'human.requested', gate: 'below', question: openQuestion}],
    ['r.2', {type: 'human.requested', gate: 'beside', question: openQuestion}],
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
  const working = treeViewOf(
    phaseOf('r', 'executing'),
    begun('r', 'a'),
    phaseOf('r.1', 'executing'),
  );
  const view = viewAfter(working, begun('r.1', 'a'), phaseOf('r.1', 'evaluating'));
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
    const view = treeViewOf(runStarted, begun('r', 'a'), begun('r.1', 'a'), ['r', result]);
    expect(view.interactions.map((one) => one.state)).toEqual([status, state]);
    expect(view.tasks.map((one) => one.state)).toEqual(['succeeded', task]);
  },
);

const why = {form: 'ask', request: 'Why?', contextMode: 'projected', by: 'model'} as const;

test('the beginning and the outcome of an interaction are known, and so are failed beginnings', () => {
  const error = {code: 'maxDepthExceeded', message: 'too deep'};
  const view = treeViewOf(
    runStarted,
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

const isWorking: Report = {type: 'phase.changed', phase: 'working'};

const session = ['a', 'a.1', 'b', 'a.1.2', 'b.1'].reduce(
  (before, interaction, seq) =>
    advanceSession(before, {...isWorking, seq, at: seq, interaction, actor: ''}),
  withRun(emptySession, 'quiet'),
);

test('runs are numbered in the order of their beginning, even without an event', () => {
  expect(['quiet', 'a', 'b', 'a.1.2', 'other'].map((id) => placeOf(session, id))).toEqual([
    '1',
    '2',
    '3',
    '2.1.2',
    '',
  ]);
  expect(withRun(session, 'a')).toBe(session);
});

test.each([
  ['1', 'quiet'],
  ['2', 'a'],
  ['2.1.2', 'a.1.2'],
  ['3.1', 'b.1'],
  ['3.2', undefined],
  ['4', undefined],
  ['0', undefined],
  ['', undefined],
  ['2.', undefined],
  ['-1', undefined],
  ['a.1', undefined],
])('the place %j is that of %s', (place, id) => {
  expect(findPlace(session, place)).toBe(id);
});

test('an event affects its own run only', () => {
  const event = {...isWorking, phase: 'answering', seq: 9, at: 9, interaction: 'b.1', actor: ''};
  const after = advanceSession(session, event);
  expect(runOf(after, 'a.1')).toBe(runOf(session, 'a'));
  expect(runOf(after, 'b')?.interactions.map(({phase}) => phase)).toEqual(['working', 'answering']);
});
