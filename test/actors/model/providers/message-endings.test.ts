/** Ends of a Messages stream: those that contradict earlier or later events, and those that are continued. */

import {expect, test} from 'vitest';

import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {streams} from '../../../support/fault-server.ts';
import {callOver} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

const messages = wires.find(({path}) => path.endsWith('/messages')) ?? wires[0]!;

async function outcomeOf(events: readonly StreamEvent[]): Promise<ModelOutcome> {
  const all = [{type: 'message_start', message: {}}, ...events, {type: 'message_stop'}];
  const text = all.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('');
  const {outcome} = await callOver(messages, streams(text));
  return outcome;
}

function stop(reason: string): StreamEvent {
  return {type: 'message_delta', delta: {stop_reason: reason}};
}

function start(index: number, block: object): StreamEvent {
  return {type: 'content_block_start', index, content_block: block};
}

function piece(index: number, delta: object): StreamEvent {
  return {type: 'content_block_delta', index, delta};
}

const vote = start(0, {type: 'tool_use', id: 'c1', name: 'vote'});
const args = (text: string): StreamEvent =>
  piece(0, {type: 'input_json_delta', partial_json: text});
const said = [start(0, {type: 'text', text: ''}), piece(0, {type: 'text_delta', text: 'I reject'})];

test.each([
  ['continues', [vote, args('{"verdict":"appro'), stop('tool_use'), args('ve"}')]],
  ['begins', [...said, stop('end_turn'), start(1, {type: 'tool_use', id: 'c2', name: 'vote'})]],
])('a call that %s after the end is a failure', async (_, events) => {
  expect(await outcomeOf(events)).toMatchObject({
    kind: 'protocol',
    message: expect.stringContaining('a tool call after the end'),
  });
});

test.each([
  ['in the same block', [piece(0, {type: 'text_delta', text: ' nothing'})]],
  ['in another block', [start(1, {type: 'text', text: ' nothing'})]],
])('text after the end, %s, is not part of the reply', async (_, after) => {
  const outcome = await outcomeOf([...said, stop('end_turn'), ...after]);
  expect(outcome).toMatchObject({kind: 'ok', text: 'I reject'});
});

test('a truncated reply stays truncated when calls are announced afterwards', async () => {
  const outcome = await outcomeOf([vote, args('{}'), stop('max_tokens'), stop('tool_use')]);
  expect(outcome).toMatchObject({kind: 'truncated'});
});

const searching = [
  start(0, {type: 'thinking', thinking: '', signature: ''}),
  piece(0, {type: 'thinking_delta', thinking: 'I search.'}),
  piece(0, {type: 'signature_delta', signature: 'sig'}),
  start(1, {type: 'text', text: ''}),
  piece(1, {type: 'text_delta', text: 'Let me see. '}),
  start(2, {type: 'server_tool_use', id: 's1', name: 'web_search', input: {}}),
  piece(2, {type: 'input_json_delta', partial_json: '{"query":'}),
  piece(2, {type: 'input_json_delta', partial_json: '"x"}'}),
  start(3, {type: 'web_search_tool_result', tool_use_id: 's1', content: []}),
];
const searched = [
  {type: 'thinking', thinking: 'I search.', signature: 'sig'},
  {type: 'server_tool_use', id: 's1', name: 'web_search', input: {query: 'x'}},
  {type: 'web_search_tool_result', tool_use_id: 's1', content: []},
];

function messageOf(events: readonly StreamEvent[], input: number): string {
  const usage = {input_tokens: input, output_tokens: 1};
  const all = [{type: 'message_start', message: {usage}}, ...events, {type: 'message_stop'}];
  return all.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('');
}

test('a paused reply is continued: its blocks are sent back as they came, and the rest belongs to the same reply', async () => {
  const found = [
    start(0, {type: 'text', text: ''}),
    piece(0, {type: 'text_delta', text: 'It is x.'}),
  ];
  const texts = [
    messageOf([...searching, stop('pause_turn')], 10),
    messageOf(
      [...found, start(1, {type: 'tool_use', id: 'c1', name: 'vote'}), stop('tool_use')],
      20,
    ),
  ];
  const {outcome, server, deltas} = await callOver(messages, (response, request) =>
    streams(texts.shift() ?? '')(response, request),
  );
  expect(outcome).toMatchObject({
    kind: 'ok',
    text: 'Let me see. It is x.',
    calls: [{id: 'c1', name: 'vote'}],
    usage: {inputTokens: 30, outputTokens: 2},
    opaque: {parts: [searched[0], 12, searched[1], searched[2], 8, null]},
  });
  expect(deltas.join('')).toBe('Let me see. It is x.');
  const sent = JSON.parse(server.received[1]?.body ?? '');
  expect(sent.messages.at(-1)).toEqual({
    role: 'assistant',
    content: [searched[0], {type: 'text', text: 'Let me see. '}, searched[1], searched[2]],
  });
});

test('a reply that is paused without end is a failure', async () => {
  const outcome = await outcomeOf([...searching, stop('pause_turn')]);
  expect(outcome).toMatchObject({kind: 'protocol', message: expect.stringContaining('too often')});
});
