/** A question to a model with tools: its steps, its sources and the check of its claims. */

import {describe, expect, test} from 'vitest';

import type {LoopStep, Source, ToolInfo} from '../../../../machines/domain/tool.ts';
import {sourcesOf} from '../../../../machines/forms/ask/ask-state.ts';
import {askMachine} from '../../../../machines/forms/ask/ask.ts';
import {claimCheckMachine} from '../../../../machines/forms/claim-check.ts';
import {builtInTools, createToolbox} from '../../../../tools/index.ts';
import {type ByHand, byHand, goneThrough} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';
import {crashTransitions} from '../../events/crashes.ts';
import {question} from '../../events/forms.ts';
import {allow, broke, calling, failing, ran, saying, ruling} from '../../events/outcomes.ts';
import {checkInput} from '../../events/phases.ts';
import {uncoveredBy} from '../../explored.ts';

const warn = {action: 'warn', reason: 'it is long', details: {}};
const block = {action: 'block', reason: 'it is forbidden', details: {}};

const start = () => byHand(askMachine, question);

/** An ask whose question passed the input guardrail. */
function allowed(): ByHand {
  const ask = start();
  ask.settle('input', allow);
  return ask;
}

function use(ask: ByHand, path: string, outcome: object): void {
  ask.settle('turns/model', calling('read_file', {path}));
  ask.settle('run', outcome);
}

/** An ask whose tool failed again after its retry. */
function withoutTool(): ByHand {
  const ask = allowed();
  use(ask, 'x', broke);
  ask.pass('retryPause');
  ask.settle('run', broke);
  return ask;
}

test('the reply of the model is the answer, with the steps that led to it', () => {
  const ask = allowed();
  use(ask, 'x', {...ran, text: 'it is 7'});
  ask.settle('model', saying('7'));
  ask.settle('output', allow);
  expect(ask.output()).toMatchObject({
    status: 'completed',
    answer: '7',
    stoppedReason: 'completed',
    toolCalls: 1,
    steps: [{action: 'read_file', input: {path: 'x'}, observation: 'it is 7'}],
  });
});

test('high-risk tools are not offered and do not run', () => {
  const ask = allowed();
  expect(ask.requests('callModel')).toMatchObject([{purpose: 'ask', tools: ['read_file']}]);
  ask.settle('model', calling('write_file', {path: 'x'}));
  expect(ask.requests('previewTool')).toEqual([]);
  expect(ask.requests('runTool')).toEqual([]);
});

describe('guardrails', () => {
  test('block a question before any model reads it', () => {
    const ask = start();
    ask.settle('input', block);
    expect(ask.output()).toMatchObject({
      status: 'rejected',
      stoppedReason: 'blocked',
      summary: 'Blocked by a guardrail: it is forbidden',
    });
    expect(ask.requests('callModel')).toEqual([]);
  });

  test('block an answer, which the output then does not contain', () => {
    const ask = allowed();
    ask.settle('model', saying('the secret'));
    ask.settle('output', block);
    expect(ask.output()).toMatchObject({status: 'rejected', stoppedReason: 'blocked'});
    expect(JSON.stringify(ask.output())).not.toContain('the secret');
  });

  test('that only warn are reported, and nothing is withheld', () => {
    const ask = start();
    ask.settle('input', warn);
    ask.settle('model', saying('so it is'));
    ask.settle('output', warn);
    expect(ask.output()).toMatchObject({status: 'completed', answer: 'so it is'});
    expect(ask.reports('warning')).toHaveLength(2);
  });

  test('that crash let no answer pass', () => {
    const ask = allowed();
    ask.settle('model', saying('so it is'));
    ask.settle('output', crash);
    expect(ask.output()).toMatchObject({status: 'error', error: {code: 'internal'}});
    expect(ask.output()).not.toHaveProperty('answer');
  });
});

test('when a tool fails for good, the model answers without it, and the answer says so', () => {
  const ask = withoutTool();
  expect(ask.requests('callModel').at(-1)).toMatchObject({toolChoice: 'none', tools: []});
  ask.settle('direct', saying('perhaps 7'));
  ask.settle('output', allow);
  expect(ask.output()).toMatchObject({
    status: 'completed',
    stoppedReason: 'tool_failure_degraded',
    answer: expect.stringMatching(/^\(read_file failed[^]*perhaps 7$/),
  });
});

test('an answer without the tool is checked like any other', () => {
  const ask = withoutTool();
  ask.settle('direct', saying('the secret'));
  ask.settle('output', block);
  expect(JSON.stringify(ask.output())).not.toContain('the secret');
});

test('when the steps are used up, the model answers from its findings, and the status is limited', () => {
  const ask = allowed();
  use(ask, 'x', ran);
  use(ask, 'y', ran);
  ask.settle('direct', saying('perhaps 7'));
  ask.settle('output', allow);
  expect(ask.output()).toMatchObject({
    status: 'limited',
    stoppedReason: 'max_steps_reached',
    answer: 'perhaps 7',
  });
});

test('when the steps are used up without an answer, the status is limited and the output has no answer', () => {
  const ask = allowed();
  use(ask, 'x', ran);
  use(ask, 'y', ran);
  ask.settle('direct', failing('refused'));
  expect(ask.output()).toMatchObject({status: 'limited', stoppedReason: 'max_steps_reached'});
  expect(ask.output()).not.toHaveProperty('answer');
});

test('an ask waits for an unavailable provider', () => {
  const ask = allowed();
  ask.settle('model', failing('auth'));
  expect(ask.open()).toEqual(['turns/resume']);
  const direct = withoutTool();
  direct.settle('model', failing('auth'));
  expect(direct.open()).toEqual(['direct/resume']);
  direct.settle('resume', {resumed: true});
  expect(direct.open()).toEqual(['direct/model']);
});

describe.each([
  ['the question is checked', start],
  ['the model thinks', allowed],
  ['it answers without its tool', withoutTool],
] as const)('while %s', (_, reach) => {
  test('a cancel ends it and leaves nothing at work', () => {
    const ask = reach();
    ask.send({type: 'user.cancel'});
    expect(ask.output()).toMatchObject({status: 'cancelled'});
    expect(ask.open()).toEqual([]);
  });
});

test('a cancel does not release an answer that the guardrails have not checked', () => {
  const ask = allowed();
  ask.settle('model', saying('the secret'));
  ask.send({type: 'user.cancel'});
  expect(ask.output()).toMatchObject({status: 'cancelled'});
  expect(JSON.stringify(ask.output())).not.toContain('the secret');
});

test('the output of a cancelled ask lists the steps before the cancel', () => {
  const ask = allowed();
  use(ask, 'x', ran);
  ask.send({type: 'user.cancel'});
  expect(ask.output()).toMatchObject({status: 'cancelled', steps: [{action: 'read_file'}]});
});

function step(...sources: readonly Source[]): LoopStep {
  return {thought: '', tool: 'grep_search', args: {}, status: 'succeeded', text: '', sources};
}

const own = {risk: 'low', repeatability: 'repeatable', timeoutMs: 1_000} as const;
const tools: readonly ToolInfo[] = [
  ...createToolbox(builtInTools('off')).infos(),
  {...own, name: 'log.filter', cites: false},
  {...own, name: 'log.page'},
];

function places(answer: string, ...steps: readonly LoopStep[]): string[] {
  return sourcesOf(answer, steps, tools).map(({place}) => place);
}

const lines = ['a.ts:1', 'a.ts:12', 'b.ts:3', 'b.ts:4', 'b.ts:5'].map((place) => ({place}));

test('an answer lists the sources whose place it names', () => {
  expect(places('It is in a.ts:12.', step(...lines))).toEqual(['a.ts:12']);
  expect(places('See b.ts:3, b.ts:5', step(...lines))).toEqual(['b.ts:3', 'b.ts:5']);
});

test('an answer lists the passages that contain a line that it names', () => {
  const passages = ['docs/a.md:1-5', 'docs/b.md:1-3', 'b.md:1-3'].map((place) => ({place}));
  expect(places('Ten (docs/a.md:1-5), then five (docs/b.md:3).', step(...passages))).toEqual([
    'docs/a.md:1-5',
    'docs/b.md:1-3',
  ]);
  expect(places('See b.md:9', step(...passages))).not.toContain('docs/b.md:1-3');
});

test('the sources are in the order of the answer', () => {
  const page = {place: 'https://example.org/'};
  expect(places('b.ts:5, https://example.org/, a.ts:1, b.ts:3', step(...lines, page))).toEqual([
    'b.ts:5',
    'https://example.org/',
    'a.ts:1',
    'b.ts:3',
  ]);
});

test('a place that is a source itself names no overlapping source', () => {
  const read = [{place: 'a.ts:1-40'}, {place: 'a.ts:12'}];
  expect(places('It is in a.ts:12.', step(...read))).toEqual(['a.ts:12']);
  expect(places('It is in a.ts:13.', step(...read))).toEqual(['a.ts:1-40']);
});

test('an answer that names a file without a line lists all sources of the file', () => {
  expect(places('It is in a.ts.', step(...lines))).toEqual(['a.ts:1', 'a.ts:12']);
  expect(places('It is in a.tsx or ba.ts', step({place: 'a.ts:1'}))).toEqual([]);
});

test('an answer from a database lists its queries', () => {
  const query = {place: 'sales.sqlite', quote: 'SELECT count(*) FROM orders'};
  const probe = {place: 'sales.sqlite', quote: 'SELECT 1 FROM orders WHERE name = 1'};
  const asked = [step(...lines), {...step(probe, query), tool: 'database'}];
  expect(sourcesOf('Four.', asked, tools)).toEqual([probe, query]);
  const shown = `Four.\n\nThe question was read as: ${query.quote}`;
  expect(sourcesOf(shown, asked, tools)).toEqual([query]);
});

test('an answer that names no source lists the first source of each step that read something, but no mere matches', () => {
  const found = {...step({place: 'c.md:1-2', quote: 'four'}, {place: 'd.md:1-2'}), tool: 'search'};
  expect(places('Four.', step(...lines), found)).toEqual(['c.md:1-2']);
  expect(places('Four.', step(...lines))).toEqual([]);
  expect(places('Four.', {...step(...lines), tool: 'log.filter'})).toEqual([]);
  expect(places('Four.', {...step(...lines), tool: 'log.page'})).toEqual(['a.ts:1']);
});

test('an answer lists each source once, and at most ten', () => {
  const many = Array.from({length: 30}, (_, index) => step({place: `x.ts:${index % 15}`}));
  expect(places('x.ts', ...many)).toHaveLength(10);
});

test('an answer without a claim passes without a request', () => {
  const check = byHand(claimCheckMachine, {...checkInput, answer: 'The port is 8080.'});
  expect(check.output()).toEqual({answer: 'The port is 8080.', isCut: false});
});

test('an answer whose claims the record supports passes', () => {
  const check = byHand(claimCheckMachine, checkInput);
  check.settle('claims', ruling('approve'));
  expect(check.output()).toEqual({answer: checkInput.answer, isCut: false});
});

test('a contradicted answer is corrected by its model, which reads the problem', () => {
  const check = byHand(claimCheckMachine, checkInput);
  check.settle('claims', ruling('reject'));
  const [request] = check.requests('callModel');
  expect(request?.transcript.messages[0]?.text).toContain('# Problems\n- "the rule says reject"');
  check.settle('call', saying('The port is 8080. No test was run.'));
  expect(check.output()).toBeUndefined();
  check.settle('claims', ruling('approve'));
  expect(check.output()).toEqual({answer: 'The port is 8080. No test was run.', isCut: false});
});

test('a correction that is contradicted as well loses the sentences with the claims', () => {
  const check = byHand(claimCheckMachine, checkInput);
  check.settle('claims', ruling('reject'));
  check.settle('call', saying('I wrote a.md. The port is 8081.'));
  check.settle('claims', ruling('reject'));
  expect(check.output()).toEqual({answer: 'The port is 8081.', isCut: true});
});

test('without a correction the answer loses the sentences with the claims', () => {
  const check = byHand(claimCheckMachine, checkInput);
  check.settle('claims', ruling('reject'));
  check.settle('call', failing('auth'));
  expect(check.output()).toEqual({answer: 'The port is 8080.', isCut: true});
});

test.each([
  ['what is it?', 'All tests pass.', 'Nothing was done.'],
  ['これは何ですか', 'テストはすべて成功しました。', '何も実行していません。'],
])(
  'an answer to %j that consists only of claims is replaced by a note that nothing was done',
  (claimed, answer, end) => {
    const check = byHand(claimCheckMachine, {...checkInput, question: claimed, answer});
    check.settle('claims', ruling('reject'));
    check.settle('call', saying(''));
    expect(check.output()).toMatchObject({answer: expect.stringContaining(end), isCut: true});
  },
);

test.each([
  ['first', {claims: crash}],
  ['second', {claims: ruling('reject'), call: saying(checkInput.answer), 'claims ': crash}],
])('when the %s check crashes, the answer loses the sentences with the claims', (_, outcomes) => {
  const check = byHand(claimCheckMachine, checkInput);
  for (const [where, outcome] of Object.entries(outcomes)) check.settle(where.trim(), outcome);
  expect(check.output()).toEqual({answer: 'The port is 8080.', isCut: true});
});

test('the tests enter every state of claimCheck and take every transition', () => {
  expect(uncoveredBy(claimCheckMachine, [goneThrough()], crashTransitions)).toEqual([]);
});
