/** What the panes beside a conversation show: plan, votes, diff, tree and log of an interaction. */

import {describe, expect, test} from 'vitest';

import {plainStyle, type Style} from '../../../cli/render/style.ts';
import {advance} from '../../../cli/render/view/fold.ts';
import {emptyView} from '../../../cli/render/view/run-view.ts';
import {createLog, type PaneFacts, paneLines} from '../../../cli/screen/pane-views.ts';
import type {ModelVote, ReviewRound} from '../../../machines/domain/review.ts';
import type {ProgressEvent, Report} from '../../../machines/facts/progress.ts';

const look = {style: plainStyle, width: 60, nameOf: (id: string) => id};

/** What is known of a run after the reports of its root, or of the interactions in `from`. */
function factsOf(...reports: readonly (Report & {readonly from?: string})[]): PaneFacts {
  const events: ProgressEvent[] = [];
  for (const [seq, {from = 'r', ...report}] of reports.entries())
    events.push({...report, interaction: from, actor: '', seq, at: seq});
  const run = events.reduce(advance, emptyView);
  return {run, interaction: 'r', events, changes: [], undone: new Set()};
}

const begun: Report = {type: 'interaction.started', form: 'agent', request: 'Greet the world'};

const planned: Report = {
  type: 'plan.created',
  by: 'planner',
  plan: {
    objective: 'Greet',
    reasoning: 'r',
    tasks: [
      {id: 'a', description: 'Write greet.ts', context_mode: 'full', tool: 'write_file'},
      {id: 'b', description: 'Test it', context_mode: 'full', depends_on: ['a']},
      {id: 'c', description: 'Tell the person', context_mode: 'full'},
    ],
  },
};

function vote(model: string, verdict: ModelVote['verdict'], reason: string): ModelVote {
  return {
    model,
    verdict,
    approved: verdict === 'approve',
    reasoning: '',
    reasons: [reason],
    confidence: 1,
  };
}

describe('the plan', () => {
  test('has each task with its state, its running calls and the reason of its end', () => {
    const facts = factsOf(
      begun,
      planned,
      {type: 'task.started', task: 'a', description: 'Write greet.ts'},
      {type: 'task.settled', task: 'a', status: 'failed', message: 'the disk is full'},
      {type: 'task.settled', task: 'b', status: 'skipped', message: ''},
      {type: 'task.started', task: 'c', description: 'Tell the person'},
      {type: 'tool.called', tool: 'run_command', summary: 'echo hello', task: 'c'},
    );
    expect(paneLines('plan', facts, look)).toEqual([
      'Greet',
      '✗ 1. Write greet.ts',
      '     write_file',
      '     failed: the disk is full',
      '– 2. Test it',
      '     after a',
      '     skipped',
      '▸ 3. Tell the person',
      '     echo hello',
    ]);
  });

  test('keeps tasks of an earlier plan that have begun', () => {
    const replanned: Report = {
      type: 'plan.created',
      by: 'planner',
      plan: {
        objective: 'Greet again',
        reasoning: 'r',
        tasks: [{id: 'd', description: 'Try again', context_mode: 'full'}],
      },
    };
    const facts = factsOf(
      begun,
      planned,
      {type: 'task.started', task: 'a', description: 'Write greet.ts'},
      {type: 'task.settled', task: 'a', status: 'succeeded', message: ''},
      replanned,
    );
    expect(paneLines('plan', facts, look)).toEqual([
      '✓ a Write greet.ts',
      'Greet again',
      '· 1. Try again',
    ]);
  });
});

const started: Report = {
  type: 'quorum.started',
  round: 1,
  kind: 'plan',
  title: 'Greet',
  rule: 'majority',
  seats: ['x', 'y', 'z'],
};

const cast = (given: ModelVote): Report => ({
  type: 'ballot.cast',
  round: 1,
  kind: 'plan',
  vote: given,
});

const votesAfter = (...votes: readonly ModelVote[]) =>
  paneLines('votes', factsOf(begun, started, ...votes.map(cast)), look);

describe('the votes', () => {
  const [yes, no] = [vote('x', 'approve', 'it is small'), vote('z', 'reject', 'no test')];

  test('of an open round appear as they are cast', () => {
    expect(votesAfter()).toEqual(['plan "Greet", round 1: [···] waiting for x, y, z']);
    expect(votesAfter(no)).toEqual([
      'plan "Greet", round 1: [··○] waiting for x, y',
      '  └─ z: no test',
    ]);
    expect(votesAfter(no, yes)).toEqual([
      'plan "Greet", round 1: [●·○] waiting for y',
      '  └─ z: no test',
      '  └─ x: it is small',
    ]);
  });

  test('of a decided round have the reasons of all seats', () => {
    const decided: ReviewRound = {
      round: 1,
      kind: 'plan',
      title: 'Greet',
      rule: 'majority',
      seats: ['x', 'y', 'z'],
      approved: false,
      verdict: 'rejected',
      summary: '[●○○]',
      votes: [yes, vote('y', 'reject', 'no'), no],
      early: false,
      degraded: false,
      withdrawn: [],
      proposalHash: 'h',
      timestamp: 1,
      weights: {},
      vetoes: [],
      participation: {cast: 3, required: 1},
    };
    const lines = paneLines(
      'votes',
      factsOf(begun, started, {type: 'quorum.decided', ...decided}, {...started, from: 'r.1'}),
      look,
    );
    expect(lines).toEqual([
      'plan "Greet", round 1: REJECTED [●○○]',
      '  └─ y: no',
      '  └─ z: no test',
      '  └─ x: it is small',
    ]);
  });
});

test('the diff has the changes of the run, and names files that are as before', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n';
  const changes = ['a.ts', 'b.ts'].map((path) => ({path, added: 1, removed: 1, diff}));
  const facts = {...factsOf(begun), changes, undone: new Set(['b.ts'])};
  expect(paneLines('diff', facts, look)).toEqual([
    'b.ts is as it was before the task',
    'a.ts +1 −1',
    '  @@ -1 +1 @@',
    '  -old',
    '  +new',
    '  ',
  ]);
});

const spawned: Report = {
  type: 'interaction.spawned',
  child: 'r.1',
  parent: 'r',
  form: 'ask',
  depth: 1,
  contextMode: 'projected',
  by: 'model',
  request: 'why?',
};

test('the tree has all interactions of the run', () => {
  expect(paneLines('tree', factsOf(begun, spawned), look)).toEqual([
    'r agent starting: Greet the world',
    '  r.1 ask starting: why?',
  ]);
});

describe('the log', () => {
  const facts = factsOf(
    begun,
    spawned,
    {type: 'thought', text: 'It is a greeting.'},
    {type: 'thought', text: 'Because.', from: 'r.1'},
  );

  test('has all that happens, with what is usually left out', () => {
    const lines = paneLines('log', facts, look);
    expect(lines).toContain('[r]   It is a greeting.');
    expect(lines).toContain('[r.1]   Because.');
  });

  test('of a child has its own events only', () => {
    expect(paneLines('log', {...facts, interaction: 'r.1'}, look)).toEqual(['[r.1]   Because.']);
  });

  test('grows by the lines of each event', () => {
    const take = createLog('r', look);
    expect(facts.events.flatMap((event) => take(event))).toEqual(paneLines('log', facts, look));
  });
});

test.each(['plan', 'votes', 'diff', 'log'] as const)('without facts, the %s says so', (view) => {
  const facts = {...factsOf(begun), events: []};
  const inStyle = (style: Style) => paneLines(view, facts, {...look, style});
  expect(inStyle(plainStyle)).toEqual([expect.stringMatching(/^no/)]);
  expect(inStyle({...plainStyle, language: 'ja'})).toEqual([expect.stringMatching(/ません$/)]);
});

test('text of models cannot steer the terminal', () => {
  const evil = 'x\u001b[2J\u0007';
  const facts = factsOf(
    {...begun, request: evil},
    {type: 'task.started', task: evil, description: evil},
    {type: 'task.settled', task: evil, status: 'failed', message: evil},
  );
  for (const view of ['plan', 'tree', 'log'] as const) {
    const text = paneLines(view, facts, look).join('\n');
    expect(text).toContain('[2J');
    expect([text.includes('\u001b'), text.includes('\u0007')]).toEqual([false, false]);
  }
});
