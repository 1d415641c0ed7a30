/** A tool call whose server asks the person: the question, the answer, and what is kept for a repeat of the call. */

import {expect, test} from 'vitest';

import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {inputText} from '../../../machines/loop/input-question.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {inDoubt, ran, ruling, stumbled} from '../events/outcomes.ts';
import {policySeat, readFile, smallSettings, writeFile} from '../events/settings.ts';
import {asks, question, validated} from '../events/tool-call.ts';

const settings = smallSettings('interactive', [policySeat]);
const answer = {decision: 'answer', content: {level: 3}};
const accepted = {question: 'the digest', action: 'accept', content: {level: 3}};

function start(tool: ToolInfo, timeLeftMs?: number): ByHand {
  const call = byHand(toolCallMachine, {
    call: {id: 'call-1', name: tool.name, args: {path: './x'}},
    tool,
    offered: settings.tools.map(({name}) => name),
    panel: panelRules(settings),
    maxMessageBytes: 1_000,
    retries: {maxRetries: 1, isForAnyFailure: false},
    brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
    background: [],
    ...(timeLeftMs === undefined ? {} : {timeLeftMs}),
  });
  if (tool.risk === 'high') {
    call.settle('preview', {kind: 'ready', args: validated, preview: '+y'});
    call.settle('quorum', ruling('approve'));
  }
  return call;
}

const inputs = (call: ByHand) => call.requests('runTool').map(({input}) => input);

test('the answer of the person continues the call', () => {
  const call = start(readFile);
  call.settle('run', asks);
  expect(call.open()).toEqual(['input/person']);
  expect(call.requests('askHuman')).toMatchObject([
    {kind: 'server-input', input: question, allowed: ['answer', 'reject'], history: []},
  ]);
  call.settle('person', answer);
  expect(inputs(call)).toEqual([undefined, {held: {call: '1'}, answers: [accepted]}]);
  call.settle('run', ran);
  expect(call.output()).toMatchObject({result: {status: 'succeeded'}});
});

test.each(['reject', 'approve', 'done'])('the decision %s declines', (decision) => {
  const call = start(readFile);
  call.settle('run', asks);
  call.settle('person', {decision});
  expect(inputs(call)[1]?.answers).toEqual([{question: 'the digest', action: 'decline'}]);
});

test('a high-risk call keeps its approval and its lock while the person is asked', () => {
  const call = start(writeFile);
  call.settle('run', asks);
  expect(call.requests('unlockWorkspace')).toEqual([]);
  call.settle('person', answer);
  const [first, second] = call.requests('runTool');
  expect(second?.approval).toBe(first?.approval);
  call.settle('run', ran);
  expect(call.requests('lockWorkspace')).toHaveLength(1);
  expect(call.requests('unlockWorkspace')).toHaveLength(1);
});

test('no time counts while the person is asked', () => {
  const call = start(readFile, 1_000);
  call.settle('run', asks);
  expect(call.open()).toEqual(['input/person']);
  call.settle('person', answer);
  call.settle('run', ran);
  expect(call.output()).toMatchObject({ms: 2});
});

test('a repeated call gives its answers again, and continues no other call', () => {
  const call = start(readFile);
  call.settle('run', asks);
  call.settle('person', answer);
  call.settle('run', stumbled);
  call.pass('retryPause');
  expect(inputs(call)[2]).toEqual({answers: [accepted]});
  call.settle('run', inDoubt);
  call.settle('gate', {decision: 'retry'});
  expect(inputs(call)[3]).toEqual({answers: [accepted]});
});

test('the sixth question fails the call', () => {
  const call = start(readFile);
  for (let n = 0; n < 5; n += 1) {
    call.settle('run', asks);
    call.settle('person', answer);
  }
  call.settle('run', asks);
  expect(call.output()).toMatchObject({
    result: {
      status: 'failed',
      failure: {code: 'too_many_questions'},
      text: 'The MCP server pool asked the person more than 5 questions in one call. The call was ended; it may have had an effect or not.',
    },
  });
  expect(call.requests('askHuman')).toHaveLength(5);
});

test('equal questions of different calls are different proposals', () => {
  const hashes = [readFile, writeFile].map((tool) => {
    const call = start(tool);
    call.settle('run', asks);
    return call.requests('askHuman')[0]?.proposalHash;
  });
  expect(new Set(hashes).size).toBe(2);
});

test('the words of a server are quoted, and can not pass for ours', () => {
  const text = inputText({
    ...question,
    message: 'Deep?\nIt asks for:\n- password',
    fields: [
      {
        name: 'kind',
        type: 'choice',
        required: true,
        title: 'Kind',
        description: 'The kind.',
        choices: [{value: 'a', title: 'Aye'}, {value: 'b'}],
        default: 'a',
      },
      {name: 'tags', type: 'choices', required: false, choices: [{value: 'x'}], max: 1},
      {name: 'mail', type: 'text', required: false, format: 'email', min: 5},
      {name: 'sure', type: 'boolean', required: false},
      {name: 'ratio', type: 'number', required: false, min: 0, max: 1},
    ],
  });
  expect(text.split('\n')).toEqual([
    'The MCP server pool asks, in its own words:',
    '> Deep?',
    '> It asks for:',
    '> - password',
    'It asks for:',
    '- kind (required): one of "a" (Aye), "b"; default "a"',
    '  > Kind',
    '  > The kind.',
    '- tags (optional): any of "x", at most 1 choices',
    '- mail (optional): email, at least 5 characters',
    '- sure (optional): true or false',
    '- ratio (optional): number, at least 0, at most 1',
    'The answer is sent to pool and kept in the record. Give no password and no key: a server must not ask for one.',
  ]);
  expect(inputText({...question, fields: []})).toContain(
    'It asks for no values, only whether it may continue.',
  );
});
