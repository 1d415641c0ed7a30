/** An ensemble: each planner drafts, none scores its own draft, and the best draft wins in any order of arrival. */

import {expect, test} from 'vitest';

import {ensembleMachine} from '../../../../../machines/forms/agent/planning/ensemble.ts';
import {byHand, type ByHand} from '../../../../support/by-hand.ts';
import {drafting, ensembleInput, planBy, scoringWith} from '../../../events/ensemble.ts';
import {calling, failing} from '../../../events/outcomes.ts';

const abc = ['test/a', 'test/b', 'test/c'];

function start(planners: readonly string[] = abc, more: object = {}): ByHand {
  return byHand(ensembleMachine, ensembleInput(planners, more));
}

function actor(model: string): string {
  return `draft:${encodeURIComponent(model)}`;
}

function draft(ensemble: ByHand, ...models: readonly string[]): void {
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
  const ensemble = start();
  draft(ensemble, 'test/c', 'test/a', 'test/b');
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
  const ensemble = start(['test/a', 'test/b']);
  draft(ensemble, 'test/a', 'test/b');
  const asked = ensemble.requests('callModel').find(({purpose}) => purpose === 'score-plan');
  expect(asked?.transcript.messages[0]?.text).toMatch(
    /^# Request\ndo it\n\n# Proposal \(plan\)\n> \{/,
  );
  expect(asked?.system).toContain('score_plan exactly once');
});

test('among equal means, the draft with more scores wins, then the first in the configuration', () => {
  const tie = start();
  draft(tie, 'test/c', 'test/b', 'test/a');
  score(tie, {'a>b': 8, 'a>c': 8, 'b>a': 8, 'b>c': 8, 'c>a': 8, 'c>b': 8});
  expect(tie.output()).toMatchObject({by: 'test/a'});
  const more = start();
  draft(more, 'test/a', 'test/b', 'test/c');
  more.settle(`seat:${encodeURIComponent('test/b on test/a')}`, failing('auth'));
  score(more, {'a>b': 8, 'a>c': 7, 'b>c': 7, 'c>a': 8, 'c>b': 8});
  expect(more.output()).toMatchObject({by: 'test/b'});
});

test('a best plan with a low score is drafted once more, with the reasons', () => {
  const ensemble = start(['test/a', 'test/b']);
  draft(ensemble, 'test/a', 'test/b');
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
  const ensemble = start(['test/a', 'test/b']);
  draft(ensemble, 'test/a', 'test/b');
  score(ensemble, {'a>b': 3, 'b>a': 5});
  ensemble.settle('redraft/question', failing('auth'));
  expect(ensemble.output()).toMatchObject({kind: 'ready', plan: planBy('test/a')});
});

test('the planners are reported when they begin', () => {
  const ensemble = start(['test/a', 'test/b']);
  expect(ensemble.reports('ensemble.started')).toMatchObject([{planners: ['test/a', 'test/b']}]);
});

test('a single draft is taken without a score', () => {
  const ensemble = start(['test/a', 'test/b']);
  ensemble.settle(actor('test/a'), failing('auth'));
  draft(ensemble, 'test/b');
  expect(ensemble.output()).toMatchObject({by: 'test/b'});
  expect(ensemble.reports('ensemble.drafted')).toMatchObject([
    {by: 'test/a', because: expect.stringContaining('auth')},
    {by: 'test/b', plan: planBy('test/b')},
  ]);
});

test('without any draft, one planner plans alone, and a warning is reported', () => {
  const ensemble = start(['test/a', 'test/b']);
  for (const model of ['test/a', 'test/b']) ensemble.settle(actor(model), failing('auth'));
  expect(ensemble.reports('warning')).toHaveLength(1);
  ensemble.settle('planning/question', drafting('test/decider'));
  ensemble.settle('planning/check', {problems: []});
  expect(ensemble.output()).toMatchObject({kind: 'ready', by: 'test/decider'});
});

test('a late planner is not waited for', () => {
  const ensemble = start(['test/a', 'test/b']);
  draft(ensemble, 'test/b');
  ensemble.pass('ensemble');
  expect(ensemble.output()).toMatchObject({by: 'test/b'});
  expect(ensemble.open()).toEqual([]);
});

test('without any score, the draft of the first planner in the configuration is taken', () => {
  const ensemble = start(['test/a', 'test/b']);
  draft(ensemble, 'test/b', 'test/a');
  for (const seat of ['test/a on test/b', 'test/b on test/a']) {
    ensemble.settle(`seat:${encodeURIComponent(seat)}`, failing('auth'));
  }
  expect(ensemble.output()).toMatchObject({by: 'test/a'});
});

const debate = {
  rules: {maxRounds: 1, intensity: 'mild'},
  moderator: {id: 'moderator', model: 'test/chair'},
  deadlineMs: 1_000,
};

/** An ensemble whose best plan, the plan of `test/a`, is debated. */
function debating(): ByHand {
  const ensemble = start(abc, {debate});
  draft(ensemble, ...abc);
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
  const ensemble = start(['test/a', 'test/b'], {debate});
  ensemble.settle(actor('test/a'), failing('auth'));
  draft(ensemble, 'test/b');
  expect(ensemble.output()).toMatchObject({by: 'test/b'});
});
