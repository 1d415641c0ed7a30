/** How replies end: in chat completions and in messages, and what models demand. */

import {describe, expect, test} from 'vitest';

import type {Model, ModelCallContext} from '../../../../actors/model/model.ts';
import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {appendMessages, replyMessage} from '../../../../machines/prompts/transcript.ts';
import {type Play, replies, streams} from '../../../support/fault-server.ts';
import {
  type Called,
  callOver,
  context,
  failing,
  plainRequest,
  serve,
  testKey,
} from '../../../support/model-call.ts';
import {anthropic, chat, type Wire, wires} from '../../../support/wires.ts';

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
  expect(outcome).toMatchObject(failing('protocol', 'a tool call after the end'));
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
  expect(await outcomeOf([...chunks, {reason: 'tool_calls'}])).toMatchObject(
    failing('protocol', 'two ids'),
  );
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
  expect(await outcomeOf(chunks)).toMatchObject(failing('protocol', 'empty'));
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

interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

async function messageOutcome(events: readonly StreamEvent[]): Promise<ModelOutcome> {
  const all = [{type: 'message_start', message: {}}, ...events, {type: 'message_stop'}];
  const text = all.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('');
  const {outcome} = await callOver(anthropic, streams(text));
  return outcome;
}

function stop(reason: string): StreamEvent {
  return {type: 'message_delta', delta: {stop_reason: reason}};
}

function start(index: number, block: object): StreamEvent {
  return {type: 'content_block_start', index, content_block: block};
}

function messagePiece(index: number, delta: object): StreamEvent {
  return {type: 'content_block_delta', index, delta};
}

const vote = start(0, {type: 'tool_use', id: 'c1', name: 'vote'});
const args = (text: string): StreamEvent =>
  messagePiece(0, {type: 'input_json_delta', partial_json: text});
const said = [
  start(0, {type: 'text', text: ''}),
  messagePiece(0, {type: 'text_delta', text: 'I reject'}),
];

test.each([
  ['continues', [vote, args('{"verdict":"appro'), stop('tool_use'), args('ve"}')]],
  ['begins', [...said, stop('end_turn'), start(1, {type: 'tool_use', id: 'c2', name: 'vote'})]],
])('a call that %s after the end is a failure', async (_, events) => {
  expect(await messageOutcome(events)).toMatchObject(
    failing('protocol', 'a tool call after the end'),
  );
});

test.each([
  ['in the same block', [messagePiece(0, {type: 'text_delta', text: ' nothing'})]],
  ['in another block', [start(1, {type: 'text', text: ' nothing'})]],
])('text after the end, %s, is not part of the reply', async (_, after) => {
  const outcome = await messageOutcome([...said, stop('end_turn'), ...after]);
  expect(outcome).toMatchObject({kind: 'ok', text: 'I reject'});
});

test('a truncated reply stays truncated when calls are announced afterwards', async () => {
  const outcome = await messageOutcome([vote, args('{}'), stop('max_tokens'), stop('tool_use')]);
  expect(outcome).toMatchObject({kind: 'truncated'});
});

const searching = [
  start(0, {type: 'thinking', thinking: '', signature: ''}),
  messagePiece(0, {type: 'thinking_delta', thinking: 'I search.'}),
  messagePiece(0, {type: 'signature_delta', signature: 'sig'}),
  start(1, {type: 'text', text: ''}),
  messagePiece(1, {type: 'text_delta', text: 'Let me see. '}),
  start(2, {type: 'server_tool_use', id: 's1', name: 'web_search', input: {}}),
  messagePiece(2, {type: 'input_json_delta', partial_json: '{"query":'}),
  messagePiece(2, {type: 'input_json_delta', partial_json: '"x"}'}),
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
    messagePiece(0, {type: 'text_delta', text: 'It is x.'}),
  ];
  const texts = [
    messageOf([...searching, stop('pause_turn')], 10),
    messageOf(
      [...found, start(1, {type: 'tool_use', id: 'c1', name: 'vote'}), stop('tool_use')],
      20,
    ),
  ];
  const {outcome, server, deltas} = await callOver(anthropic, (response, request) =>
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
  const outcome = await messageOutcome([...searching, stop('pause_turn')]);
  expect(outcome).toMatchObject(failing('protocol', 'too often'));
});

const ballotTool = {name: 'vote', description: 'Votes.', schema: {type: 'object'}};
const forced = {...plainRequest, tools: ['vote'], toolChoice: 'required'} as const;
const offering: ModelCallContext = {...context, tools: [ballotTool]};

/** Refuses bodies that match, with this message. */
function refusing(wire: Wire, pattern: RegExp, message: string, status = 400): Play {
  const accept = streams(wire.reply({text: 'Yes.'}));
  const refuse = replies(status, wire.errorBody('invalid_request_error', message));
  return (response, request) => (pattern.test(request.body) ? refuse : accept)(response, request);
}

async function modelOn(wire: Wire, play: Play): Promise<{model: Model; bodies: () => string[]}> {
  const server = await serve(play);
  const model = wire.create({baseUrl: server.url, apiKey: testKey});
  return {model, bodies: () => server.received.map(({body}) => body)};
}

const isForced = /"tool_choice":(?:"required"|\{"type":"any"\})/;

describe.each(wires)('$name', (wire) => {
  test.each([
    [400, 'tool_choice forces tool use is not compatible with this model.'],
    [400, 'Thinking may not be enabled when tool_choice forces tool use.'],
    [404, "No endpoints found that support the provided 'tool_choice' value."],
  ])(
    'a forced tool call that is refused is sent again as optional, and never forced again: %i %s',
    async (status, message) => {
      const {model, bodies} = await modelOn(wire, refusing(wire, isForced, message, status));
      expect(await model.call(forced, offering)).toMatchObject({kind: 'ok', text: 'Yes.'});
      expect(await model.call(forced, offering)).toMatchObject({kind: 'ok'});
      expect(bodies().map((body) => isForced.test(body))).toEqual([true, false, false]);
    },
  );

  test('calls at the same time each learn what one has learned', async () => {
    const message = 'tool_choice: only auto is supported';
    const {model} = await modelOn(wire, refusing(wire, isForced, message));
    const outcomes = await Promise.all([1, 2, 3].map(() => model.call(forced, offering)));
    expect(outcomes.map(({kind}) => kind)).toEqual(['ok', 'ok', 'ok']);
  });

  test('a refusal that says nothing new is a failure', async () => {
    const {model, bodies} = await modelOn(wire, refusing(wire, /./, 'bad tool_choice'));
    expect(await model.call(forced, offering)).toMatchObject(
      failing('unsupported', 'bad tool_choice'),
    );
    expect(bodies()).toHaveLength(2);
  });

  test('state that its provider cannot read is left out, for this conversation only', async () => {
    const [name, parts] = states[wire.name] ?? ['', ''];
    const transcript = appendMessages(
      plainRequest.transcript,
      replyMessage({text: 'I look.', calls: [], opaque: {model: name, parts}}),
      {role: 'user', text: 'Go on.'},
    );
    const play = refusing(wire, /sealed/, unreadable[wire.name] ?? '');
    const {model, bodies} = await modelOn(wire, play);
    const request = {...plainRequest, transcript};
    expect(await model.call(request, offering)).toMatchObject({kind: 'ok'});
    expect(await model.call(request, offering)).toMatchObject({kind: 'ok'});
    expect(bodies().map((body) => body.includes('sealed'))).toEqual([true, false, true, false]);
  });
});

const states: Readonly<Record<string, readonly [string, Parameters<typeof JSON.stringify>[0]]>> = {
  anthropic: ['a/m', [{type: 'thinking', thinking: 'Hm.', signature: 'sealed'}, 7]],
  'chat completions': ['c/m', {message: {extra_content: {google: {thought_signature: 'sealed'}}}}],
  responses: ['r/m', [{type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'sealed'}, 7]],
};

const unreadable: Readonly<Record<string, string>> = {
  anthropic: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  'chat completions': 'Corrupted thought signature.',
  responses: 'The encrypted content sealed could not be verified.',
};
