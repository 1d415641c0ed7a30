/** Planning: one planner, its prompt, and an ensemble of planners. */

import {expect, test} from 'vitest';

import type {Plan} from '../../../../../machines/domain/plan.ts';
import type {ModelVote, ReviewRound} from '../../../../../machines/domain/review.ts';
import {ensembleMachine} from '../../../../../machines/forms/agent/planning/ensemble.ts';
import {
  planMessage,
  planningMachine,
} from '../../../../../machines/forms/agent/planning/planning.ts';
import {byHand, type ByHand, goneThrough} from '../../../../support/by-hand.ts';
import {crash} from '../../../../support/hand-performer.ts';
import {crashTransitions} from '../../../events/crashes.ts';
import {planOf} from '../../../events/execution.ts';
import {calling, failing, saying} from '../../../events/outcomes.ts';
import {
  drafting,
  ensembleInput,
  planBy,
  scoringWith,
  planningInput,
} from '../../../events/phases.ts';
import {uncoveredBy} from '../../../explored.ts';

const sound = calling('create_plan', {
  objective: 'read it',
  reasoning: '',
  tasks: [{id: 'a', description: 'read', tool: 'read_file', args: {path: 'x'}}],
});
const circular = calling('create_plan', {
  objective: 'read it',
  reasoning: '',
  tasks: [{id: 'a', description: 'read', depends_on: ['a']}],
});

const start = (given: {readonly given?: Plan} = {}) =>
  byHand(planningMachine, {...planningInput, ...given});

test('a draft with valid calls becomes the plan', () => {
  const planning = start();
  planning.settle('model', sound);
  expect(planning.requests('checkCalls')).toEqual([
    {calls: [{task: 'a', tool: 'read_file', args: {path: 'x'}}], workspace: '/w'},
  ]);
  planning.settle('check', {problems: []});
  expect(planning.output()).toMatchObject({kind: 'ready', plan: {objective: 'read it'}});
});

test('an invalid draft goes back with its problems', () => {
  const planning = start();
  planning.settle('model', circular);
  const messages = planning.requests('callModel').at(-1)?.transcript.messages;
  expect(messages?.at(-1)?.text).toContain('tasks depend on each other in a circle: a');
  expect(messages?.at(-1)?.text).toContain('Call create_plan once more');
});

test('a draft with invalid calls goes back with its problems and those of the drafts before', () => {
  const planning = start();
  planning.settle('model', circular);
  planning.settle('model', sound);
  planning.settle('check', {problems: ['task a: no path']});
  const messages = planning.requests('callModel').at(-1)?.transcript.messages ?? [];
  const prompts = messages.filter(({role}) => role === 'user').map(({text}) => text);
  expect(prompts).toHaveLength(3);
  expect(prompts[1]).toContain('in a circle');
  expect(prompts[2]).toContain('task a: no path');
});

test('the third draft is the last, for problems of any kind', () => {
  const planning = start();
  planning.settle('model', circular);
  planning.settle('model', sound);
  planning.settle('check', {problems: ['task a: no path']});
  planning.settle('model', circular);
  expect(planning.requests('callModel')).toHaveLength(3);
  expect(planning.output()).toMatchObject({
    kind: 'failed',
    failure: {
      code: 'invalid_plan',
      message: 'test/decider made no valid plan.',
      detail: expect.stringMatching(/in a circle: a$/),
    },
  });
});

test('calls that stay invalid end the planning with the errors of the last draft', () => {
  const planning = start();
  for (const problem of ['task a: no path', 'task a: no file', 'task a: no folder']) {
    planning.settle('model', sound);
    planning.settle('check', {problems: [problem]});
  }
  expect(planning.output()).toEqual({
    kind: 'failed',
    failure: {
      code: 'invalid_plan',
      message: 'test/decider made no valid plan.',
      detail: 'task a: no folder',
    },
  });
});

test('a model that calls no tool is quoted in the failure', () => {
  const planning = start();
  for (let draft = 0; draft < 3; draft += 1) planning.settle('model', saying('I will not.'));
  expect(planning.output()).toEqual({
    kind: 'failed',
    failure: {code: 'no_plan', message: 'I will not.'},
  });
});

test('an unavailable provider is waited for, and an outage does not count as a draft', () => {
  const planning = start();
  for (let outage = 0; outage < 4; outage += 1) {
    planning.settle('model', failing('billing'));
    expect(planning.requests('awaitResume').at(-1)).toMatchObject({code: 'billing'});
    planning.settle('resume', {resumed: true});
  }
  expect(planning.output()).toBeUndefined();
  expect(planning.open()).toEqual(['question/call/model']);
});

test.each([
  [[], {kind: 'ready', plan: {objective: 'read it'}}],
  [
    ['task a: no path'],
    {
      kind: 'failed',
      failure: {
        code: 'invalid_plan',
        message: 'The plan is not valid. Its errors:\ntask a: no path',
      },
    },
  ],
])('a given plan is checked like a draft, but no model repairs it: %j', (problems, output) => {
  const args = {path: 'x'};
  const task = {
    id: 'a',
    description: 'read',
    tool: 'read_file',
    args,
    context_mode: 'full',
  } as const;
  const planning = start({given: {objective: 'read it', reasoning: '', tasks: [task]}});
  expect(planning.requests('checkCalls')).toMatchObject([{calls: [{task: 'a'}]}]);
  planning.settle('check', {problems});
  expect(planning.requests('callModel')).toEqual([]);
  expect(planning.output()).toMatchObject(output);
});

const plan = planOf('look', [{id: 'a', description: 'look'}]);

function vote(verdict: ModelVote['verdict'], because?: string): ModelVote {
  const said = because === undefined ? [`I ${verdict}`] : [];
  const kept = {model: 'test/a', approved: false, verdict, reasoning: '', reasons: said};
  return {...kept, confidence: 1, ...(because === undefined ? {} : {abstainedBecause: because})};
}

function round(proposalHash: string, ...votes: readonly ModelVote[]): ReviewRound {
  return {
    round: 1,
    kind: 'plan',
    title: 'look',
    proposalHash,
    rule: 'majority',
    seats: ['test/a'],
    weights: {'test/a': 1},
    vetoes: [],
    participation: {cast: 1, required: 1},
    verdict: 'rejected',
    approved: false,
    votes,
    summary: '[○]',
    early: false,
    withdrawn: [],
    degraded: false,
    timestamp: 0,
  };
}

function instructions(...rounds: readonly ReviewRound[]): string {
  const brief = {request: 'look', background: [], runs: [], maxResults: 9_000};
  return planMessage({...brief, previous: plan, rounds}).split('# What to do\n')[1] ?? '';
}

test('a plan with a reason against it is to be revised', () => {
  expect(instructions(round('1', vote('reject')))).toBe(
    'Revise the previous plan so that every reason given against it is met. A plan that was rejected is not voted on again.',
  );
});

test('a plan that was not approved because seats failed may be proposed again', () => {
  const message = instructions(round('1', vote('abstain', 'overloaded')));
  expect(message).toContain('Nobody gave a reason against the previous plan');
});

const abc = ['test/a', 'test/b', 'test/c'];

function startEnsemble(planners = abc, strategy: 'quorum' | 'debate' = 'quorum'): ByHand {
  return byHand(ensembleMachine, ensembleInput(planners, strategy));
}

function actor(model: string): string {
  return `draft:${encodeURIComponent(model)}`;
}

function draftAll(ensemble: ByHand, ...models: readonly string[]): void {
  for (const model of models) {
    ensemble.settle(`${actor(model)}/question`, drafting(model));
    ensemble.settle(`${actor(model)}/check`, {problems: []});
  }
}

/** Settles scores; a key of `scores` is `scorer>author`. */
function score(ensemble: ByHand, scores: Readonly<Record<string, number>>): void {
  for (const [who, value] of Object.entries(scores)) {
    const [scorer = '', of = ''] = who.split('>');
    const seat = encodeURIComponent(`test/${scorer} on test/${of}`);
    ensemble.settle(`seat:${seat}`, scoringWith(value));
  }
}

test('the highest mean wins, and each planner scores all drafts except its own', () => {
  const ensemble = startEnsemble();
  draftAll(ensemble, 'test/c', 'test/a', 'test/b');
  const scorings = ensemble
    .requests('callModel')
    .filter(({purpose}) => purpose === 'score-plan')
    .map(({model, transcript}) => [
      model,
      /the plan of (\S+?)"/.exec(transcript.messages[0]?.text ?? '')?.[1],
    ]);
  expect(scorings).toHaveLength(6);
  expect(scorings.every(([scorer, author]) => scorer !== author)).toBe(true);
  score(ensemble, {'a>b': 9, 'a>c': 5, 'b>a': 8, 'b>c': 6, 'c>a': 7, 'c>b': 9});
  expect(ensemble.output()).toEqual({kind: 'ready', plan: planBy('test/b'), by: 'test/b'});
  expect(ensemble.reports('ensemble.chosen')).toMatchObject([
    {by: 'test/b', isLow: false, drafts: [{by: 'test/a', mean: 7.5}, {mean: 9}, {mean: 5.5}]},
  ]);
});

test('a scorer reads the request and the plan, but not the name of the author', () => {
  const ensemble = startEnsemble(['test/a', 'test/b']);
  draftAll(ensemble, 'test/a', 'test/b');
  const asked = ensemble.requests('callModel').find(({purpose}) => purpose === 'score-plan');
  expect(asked?.transcript.messages[0]?.text).toMatch(
    /^# Request\ndo it\n\n# Proposal \(plan\)\n> \{/,
  );
  expect(asked?.system).toContain('score_plan exactly once');
});

test('among equal means, the draft with more scores wins, then the first in the configuration', () => {
  const tie = startEnsemble();
  draftAll(tie, 'test/c', 'test/b', 'test/a');
  score(tie, {'a>b': 8, 'a>c': 8, 'b>a': 8, 'b>c': 8, 'c>a': 8, 'c>b': 8});
  expect(tie.output()).toMatchObject({by: 'test/a'});
  const more = startEnsemble();
  draftAll(more, 'test/a', 'test/b', 'test/c');
  more.settle(`seat:${encodeURIComponent('test/b on test/a')}`, failing('auth'));
  score(more, {'a>b': 8, 'a>c': 7, 'b>c': 7, 'c>a': 8, 'c>b': 8});
  expect(more.output()).toMatchObject({by: 'test/b'});
});

test('a best plan with a low score is drafted once more, with the reasons', () => {
  const ensemble = startEnsemble(['test/a', 'test/b']);
  draftAll(ensemble, 'test/a', 'test/b');
  score(ensemble, {'a>b': 3, 'b>a': 5});
  expect(ensemble.reports('ensemble.chosen')).toMatchObject([{by: 'test/a', isLow: true}]);
  const asked = ensemble.requests('callModel').at(-1);
  expect(asked).toMatchObject({model: 'test/a', purpose: 'plan'});
  const text = asked?.transcript.messages[0]?.text ?? '';
  expect(text).toContain('Scored 5.0 of 10 by the other planners.\nReasons:\n> - 5: worth 5');
  expect(text).toContain('# Previous plan\n> {');
  ensemble.settle('redraft/question', drafting('better'));
  ensemble.settle('redraft/check', {problems: []});
  expect(ensemble.output()).toMatchObject({plan: {objective: 'the plan of better'}, by: 'test/a'});
});

test('a second draft that fails leaves the first one in place', () => {
  const ensemble = startEnsemble(['test/a', 'test/b']);
  draftAll(ensemble, 'test/a', 'test/b');
  score(ensemble, {'a>b': 3, 'b>a': 5});
  ensemble.settle('redraft/question', failing('auth'));
  expect(ensemble.output()).toMatchObject({kind: 'ready', plan: planBy('test/a')});
});

test('the planners are reported when they begin', () => {
  const ensemble = startEnsemble(['test/a', 'test/b']);
  expect(ensemble.reports('ensemble.started')).toMatchObject([{planners: ['test/a', 'test/b']}]);
});

test('a single draft is taken without a score', () => {
  const ensemble = startEnsemble(['test/a', 'test/b']);
  ensemble.settle(actor('test/a'), failing('auth'));
  draftAll(ensemble, 'test/b');
  expect(ensemble.output()).toMatchObject({by: 'test/b'});
  expect(ensemble.reports('ensemble.drafted')).toMatchObject([
    {by: 'test/a', because: expect.stringContaining('auth')},
    {by: 'test/b', plan: planBy('test/b')},
  ]);
});

test('without any draft, one planner plans alone, and a warning is reported', () => {
  const ensemble = startEnsemble(['test/a', 'test/b']);
  for (const model of ['test/a', 'test/b']) ensemble.settle(actor(model), failing('auth'));
  expect(ensemble.reports('warning')).toHaveLength(1);
  ensemble.settle('planning/question', drafting('test/decider'));
  ensemble.settle('planning/check', {problems: []});
  expect(ensemble.output()).toMatchObject({kind: 'ready', by: 'test/decider'});
});

test('a late planner is not waited for', () => {
  const ensemble = startEnsemble(['test/a', 'test/b']);
  draftAll(ensemble, 'test/b');
  ensemble.pass('ensemble');
  expect(ensemble.output()).toMatchObject({by: 'test/b'});
  expect(ensemble.open()).toEqual([]);
});

test('without any score, the draft of the first planner in the configuration is taken', () => {
  const ensemble = startEnsemble(['test/a', 'test/b']);
  draftAll(ensemble, 'test/b', 'test/a');
  for (const seat of ['test/a on test/b', 'test/b on test/a']) {
    ensemble.settle(`seat:${encodeURIComponent(seat)}`, failing('auth'));
  }
  expect(ensemble.output()).toMatchObject({by: 'test/a'});
});

/** An ensemble whose best plan, the plan of `test/a`, is debated. */
function debating(): ByHand {
  const ensemble = startEnsemble(abc, 'debate');
  draftAll(ensemble, ...abc);
  score(ensemble, {'a>b': 7, 'a>c': 6, 'b>a': 9, 'b>c': 6, 'c>a': 9, 'c>b': 7});
  return ensemble;
}

test('a plan is debated by its author and the runner-up, and its standing objections are kept with it', () => {
  const ensemble = debating();
  const objections = [{severity: 'major', objection: 'it reads too little'}];
  expect(ensemble.requests('callModel').at(-1)).toMatchObject({model: 'test/b'});
  expect(ensemble.requests('callModel').at(-1)?.transcript.messages[0]?.text).toContain(
    '"objective": "the plan of [a participant]"',
  );
  ensemble.settle('attack', calling('raise_objections', {objections}));
  expect(ensemble.requests('callModel').at(-1)).toMatchObject({model: 'test/a'});
  ensemble.settle('defence', calling('answer_objections', {answers: [{id: 'O1', answer: 'no'}]}));
  expect(ensemble.requests('callModel').at(-1)).toMatchObject({model: 'test/chair'});
  const rulings = [{id: 'O1', ruling: 'stands', reason: 'so it is'}];
  ensemble.settle('ruling', calling('rule_on_objections', {rulings}));
  expect(ensemble.output()).toEqual({
    kind: 'ready',
    plan: planBy('test/a'),
    by: 'test/a',
    objections: ['major: it reads too little; answered: no'],
  });
});

test('a plan without objections is taken unchanged', () => {
  const ensemble = debating();
  ensemble.settle('attack', calling('raise_objections', {objections: []}));
  expect(ensemble.output()).toMatchObject({by: 'test/a', objections: []});
});

test('a single draft is not debated', () => {
  const ensemble = startEnsemble(['test/a', 'test/b'], 'debate');
  ensemble.settle(actor('test/a'), failing('auth'));
  draftAll(ensemble, 'test/b');
  expect(ensemble.output()).toMatchObject({by: 'test/b'});
});

test.each([
  ['the check of its calls', {model: sound, check: crash}],
  ['the wait for a provider', {model: failing('auth'), resume: crash}],
])('a crash of %s fails the planning', (_, outcomes) => {
  const planning = start();
  for (const [where, outcome] of Object.entries(outcomes)) planning.settle(where, outcome);
  const failure = {code: 'internal', message: crash.crash};
  expect(planning.output()).toEqual({kind: 'failed', failure});
});

test('the tests enter every state of planning and take every transition', () => {
  expect(uncoveredBy(planningMachine, [goneThrough()], crashTransitions)).toEqual([]);
});
