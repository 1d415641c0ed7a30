/** Ends and shapes of Chat Completions streams, as compatible servers send them. */

import {expect, test} from 'vitest';

import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {streams} from '../../../support/fault-server.ts';
import {type Called, callOver} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

interface Chunk {
  readonly delta?: object;
  readonly reason?: string;
}

async function outcomeOf(chunks: readonly Chunk[]): Promise<ModelOutcome> {
  return (await calledWith(chunks)).outcome;
}

async function calledWith(
  chunks: readonly Chunk[],
  tools: readonly string[] = [],
): Promise<Called> {
  const chat = wires.find(({path}) => path.endsWith('/chat/completions'));
  if (!chat) throw new Error('no wire');
  const lines = chunks.map(({delta = {}, reason = null}) => {
    const choices = [{index: 0, delta, finish_reason: reason}];
    return `data: ${JSON.stringify({object: 'chat.completion.chunk', choices})}\n\n`;
  });
  return await callOver(chat, streams(`${lines.join('')}data: [DONE]\n\n`), {request: {tools}});
}

function piece(text: string, id?: string): Chunk {
  const call = {index: 0, ...(id && {id}), function: {...(id && {name: 'vote'}), arguments: text}};
  return {delta: {tool_calls: [call]}};
}

test('a call that continues after the end is a failure', async () => {
  const begun = piece('{"verdict":"appro', 'c1');
  const outcome = await outcomeOf([begun, {reason: 'tool_calls'}, piece('ve"}')]);
  expect(outcome).toMatchObject({
    kind: 'protocol',
    message: expect.stringContaining('a tool call after the end'),
  });
});

test('text after the end is not part of the reply', async () => {
  const chunks = [{delta: {content: 'I reject'}, reason: 'stop'}, {delta: {content: ' nothing'}}];
  expect(await outcomeOf(chunks)).toMatchObject({kind: 'ok', text: 'I reject'});
});

test('a truncated reply stays truncated when calls are announced afterwards', async () => {
  const chunks = [piece('{}', 'c1'), {reason: 'length'}, {reason: 'tool_calls'}];
  expect(await outcomeOf(chunks)).toMatchObject({kind: 'truncated'});
});

test('a refusal next to a call makes the reply a refusal', async () => {
  const refusal = {delta: {refusal: 'I will not vote.'}};
  const chunks = [refusal, piece('{}', 'c1'), {reason: 'tool_calls'}];
  expect(await outcomeOf(chunks)).toMatchObject({kind: 'refused'});
});

test('a call whose last piece is in the ending chunk is complete', async () => {
  const last = {...piece('"reject"}'), reason: 'tool_calls'};
  expect(await outcomeOf([piece('{"verdict":', 'c1'), last])).toMatchObject({
    kind: 'ok',
    calls: [{name: 'vote', args: {verdict: 'reject'}}],
  });
});

function callPiece(id: string, name: string, text: string, index?: number): object {
  return {...(index === undefined ? {} : {index}), id, function: {name, arguments: text}};
}

const calling = (...calls: readonly object[]): Chunk => ({delta: {tool_calls: calls}});

test.each(['stop', 'eos', 'tool_calls', 'function_call'])(
  'complete calls are calls, although the reply ends with %s',
  async (reason) => {
    const outcome = await outcomeOf([calling(callPiece('c1', 'vote', '{"x":1}', 0)), {reason}]);
    expect(outcome).toMatchObject({kind: 'ok', calls: [{id: 'c1', name: 'vote', args: {x: 1}}]});
  },
);

test.each([
  ['cut in its arguments', '{"x":1', 'stop'],
  ['without arguments', '', 'stop'],
  ['with arguments that are no object', '[1]', 'stop'],
])('a call %s is not complete when the reply ends with stop', async (_, text, reason) => {
  const outcome = await outcomeOf([calling(callPiece('c1', 'vote', text, 0)), {reason}]);
  expect(outcome).toMatchObject({kind: 'protocol'});
});

test('complete calls of a reply that was cut at its limit, or whose stream was cut, are not made', async () => {
  const whole = calling(callPiece('c1', 'vote', '{"x":1}', 0));
  expect(await outcomeOf([whole, {reason: 'length'}])).toMatchObject({kind: 'truncated'});
  expect(await outcomeOf([whole])).toMatchObject({kind: 'protocol'});
});

test('parallel calls that all have the index 0 are different calls by their ids', async () => {
  const chunks = [
    calling(callPiece('a', 'one', '{"x":', 0)),
    calling({index: 0, function: {arguments: '1}'}}),
    calling(callPiece('b', 'two', '{}', 0), callPiece('c', 'three', '{}', 0)),
    {reason: 'stop'},
  ];
  expect(await outcomeOf(chunks)).toMatchObject({
    calls: [
      {id: 'a', name: 'one', args: {x: 1}},
      {id: 'b', name: 'two'},
      {id: 'c', name: 'three'},
    ],
  });
});

test('an id that changes within a call is a failure', async () => {
  const chunks = [calling(callPiece('a', 'one', '{"x":', 0)), calling(callPiece('b', '', '1}', 0))];
  expect(await outcomeOf([...chunks, {reason: 'tool_calls'}])).toMatchObject({
    kind: 'protocol',
    message: expect.stringContaining('two ids'),
  });
});

test('a call in the form before tool calls is a call', async () => {
  const pieces = ['{"x"', ':1}'].map((text) => ({delta: {function_call: {arguments: text}}}));
  const named = {delta: {function_call: {name: 'vote', arguments: ''}}};
  expect(await outcomeOf([named, ...pieces, {reason: 'function_call'}])).toMatchObject({
    calls: [{name: 'vote', args: {x: 1}}],
  });
});

test.each([
  ['in one piece', ['<think>I\nlook.</think>\n\nIt is 42.']],
  ['in pieces', ['\n<th', 'ink>I look', '.</thi', 'nk>', '\n', '\nIt is', ' 42.']],
  ['one character a piece', '<think>a < b</think>It is 42.'.split('')],
])('a leading block of thinking is neither answer nor streamed: %s', async (_, texts) => {
  const chunks = texts.map((content) => ({delta: {content}}));
  const {outcome, deltas} = await calledWith([...chunks, {reason: 'stop'}]);
  expect(outcome).toMatchObject({kind: 'ok', text: 'It is 42.'});
  expect(deltas.join('')).toBe('It is 42.');
});

test.each(['<thin air', '<', 'About <think>: it is a tag.</think>', ' \n indented'])(
  'other text that begins alike is kept: %j',
  async (content) => {
    const {outcome, deltas} = await calledWith([{delta: {content}}, {reason: 'stop'}]);
    expect(outcome).toMatchObject({kind: 'ok', text: content});
    expect(deltas.join('')).toBe(content);
  },
);

test('thinking without an end is no answer', async () => {
  const chunks = [{delta: {content: '<think>It is 42, or'}}, {reason: 'stop'}];
  expect(await outcomeOf(chunks)).toMatchObject({
    kind: 'protocol',
    message: expect.stringContaining('empty'),
  });
});

const written = [
  '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>',
  'I read the file.\n<tool_call>{"name":"read_file","arguments":{"path":"a"}}',
  '<tool_call>read_file\n<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>',
  '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a"}}]',
  '[TOOL_CALLS]read_file[ARGS]{"path": "a"}',
  '<function=read_file>{"path": "a"}</function>',
  '<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```',
  '{"name": "read_file", "parameters": {"path": "a"}}',
];

test.each(written)('a call that is written as text is no answer: %j', async (content) => {
  const {outcome} = await calledWith([{delta: {content}}, {reason: 'stop'}], ['read_file']);
  expect(outcome).toMatchObject({
    kind: 'protocol',
    code: 'text_call',
    message: expect.stringMatching(/--jinja.*--tool-call-parser.*Ollama/),
  });
});

test.each([
  ['without tools', written[0] ?? '', []],
  ['of a tool that is not offered', written[0] ?? '', ['write_file']],
  [
    'quoted in an answer',
    `Hermes writes it so:\n${written[0]}\nand reads the result.`,
    ['read_file'],
  ],
  ['after a long answer', `${'word '.repeat(100)}\n${written[0]}`, ['read_file']],
  ['other JSON', '```json\n{"name": "read_file", "version": 2}\n```', ['read_file']],
])('what resembles a written call is an answer: %s', async (_, content, tools) => {
  const {outcome} = await calledWith([{delta: {content}}, {reason: 'stop'}], tools);
  expect(outcome).toMatchObject({kind: 'ok', text: content});
});
