/** The view of a run in plain scenarios. */

import {expect, test} from 'vitest';

import {advance} from '../../../../cli/render/view/fold.ts';
import {rootOf} from '../../../../cli/render/view/interactions.ts';
import {emptyView, type RunView} from '../../../../cli/render/view/run-view.ts';
import type {ModelVote, ReviewRound} from '../../../../machines/domain/review.ts';
import type {Report} from '../../../../machines/facts/progress.ts';
import {baseResult} from '../../fake-run.ts';

/** The view after the reports of one interaction, or of the interactions in `from`. */
function seen(...reports: readonly (Report & {readonly from?: string})[]): RunView {
  let view = emptyView;
  for (const [seq, {from = 'i', ...report}] of reports.entries()) {
    view = advance(view, {...report, seq, at: seq, interaction: from, actor: ''});
  }
  return view;
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

function started(task: string): Report {
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
  const view = seen(twoTasks);
  const {tasks} = view;
  expect(rootOf(view).plan?.objective).toBe('o');
  expect(tasks).toMatchObject([
    {id: 'a', description: 'First', state: 'planned'},
    {id: 'b', description: 'Second', state: 'planned'},
  ]);
});

test.each([
  ['after', [started('a'), called('read_file', 'a')]],
  ['before', [called('read_file', 'a'), started('a')]],
])('a call that is reported %s its task is below it', (_, reports) => {
  const view = seen(twoTasks, ...reports);
  const {tasks} = view;
  expect(rootOf(view).calls).toEqual([]);
  expect(tasks[0]).toMatchObject({
    id: 'a',
    state: 'running',
    calls: [{tool: 'read_file', state: 'running'}],
  });
});

test('of equal concurrent calls the first one settles first, and a refused call has never begun', () => {
  const {tasks} = seen(
    started('a'),
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
  const {tasks} = seen(started('a'), called('run_command', 'a'), done);
  expect(tasks).toMatchObject([{state: 'failed', message: 'too slow', calls: [{state: 'cutOff'}]}]);
});

test('a task that crashes without a report is lost once the work has ended', () => {
  const working = [twoTasks, {type: 'phase.changed', phase: 'executing'}, started('a')] as const;
  expect(seen(...working).tasks[0]?.state).toBe('running');
  const after = seen(...working, {type: 'phase.changed', phase: 'evaluating'});
  expect(after.tasks).toMatchObject([{id: 'a', state: 'lost'}, {state: 'planned'}]);
});

test('the result settles all open parts with its data, and marks unreached ones', () => {
  const tasks = [
    {id: 'a', description: 'First', status: 'failed', failure: {code: 'crashed', message: 'boom'}},
  ];
  const result = JSON.parse(JSON.stringify({...baseResult, status: 'failed', tasks}));
  const view = seen(twoTasks, started('a'), called('read_file'), result);
  expect(view.tasks).toMatchObject([
    {id: 'a', state: 'failed', message: 'boom'},
    {id: 'b', state: 'notReached'},
  ]);
  expect(seen(started('z'), result).tasks).toMatchObject([{state: 'cutOff'}]);
  expect(rootOf(view).calls).toMatchObject([{state: 'cutOff'}]);
  expect(view.result?.status).toBe('failed');
});

test('a run that waits keeps its tasks running: they continue later', () => {
  const view = seen(twoTasks, started('a'), {...baseResult, status: 'waiting', exitCode: 4});
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
  expect(seen(twoTasks, started('a'), next).tasks.map(({id}) => id)).toEqual(['a', 'c']);
});

test('tasks of two interactions do not mix, though their names are equal', () => {
  const {tasks} = seen(
    {...started('a'), from: 'i'},
    {...started('a'), from: 'i.1'},
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
  const before = seen(open('one'), open('two'), cast('x'), cast('x'));
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
  const view = seen(
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
