/** In each wire format: the layout of requests, and the outcome of a reply: text, calls, and every kind of invalid reply. */

import {describe, expect, test} from 'vitest';

import {toAnthropicRequest} from '../../../../actors/model/providers/anthropic.ts';
import {toOpenAiRequest} from '../../../../actors/model/providers/chat-completions.ts';
import {toResponsesRequest} from '../../../../actors/model/providers/openai.ts';
import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {
  appendMessages,
  type Message,
  openTranscript,
} from '../../../../machines/prompts/transcript.ts';
import {streams, trickles} from '../../../support/fault-server.ts';
import {callOver, failing, outcomeOver, plainRequest} from '../../../support/model-call.ts';
import {anthropic, chat, responses, type WireReply, wires} from '../../../support/wires.ts';

const good = {id: 'call_1', name: 'read_file', args: '{"path":"a.txt","limit":null}'};

describe.each(wires)('$name', (wire) => {
  const calling = async (call: Partial<typeof good>): Promise<ModelOutcome> => {
    const reply = wire.reply({calls: [{...good, ...call}]});
    return (await callOver(wire, streams(reply))).outcome;
  };

  test('a text is the answer, with its pieces and its usage', async () => {
    const {outcome, deltas} = await callOver(wire, streams(wire.reply({text: 'Hello.'})));
    expect(outcome).toEqual({
      kind: 'ok',
      text: 'Hello.',
      calls: [],
      usage: {inputTokens: 100, outputTokens: 7, cachedTokens: 40},
    });
    expect(deltas.join('')).toBe('Hello.');
  });

  test('calls have their arguments, and null stays null', async () => {
    const second = {id: 'call_2', name: 'glob', args: ''};
    const reply = wire.reply({text: 'I look.', calls: [good, second]});
    expect(await outcomeOver(wire, streams(reply))).toMatchObject({
      kind: 'ok',
      text: 'I look.',
      calls: [
        {id: 'call_1', name: 'read_file', args: {path: 'a.txt', limit: null}},
        {id: 'call_2', name: 'glob', args: {}},
      ],
    });
  });

  test('text that arrives one byte at a time stays whole', async () => {
    const text = 'Grüße 😀 日本';
    expect(await outcomeOver(wire, trickles(wire.reply({text})))).toMatchObject({kind: 'ok', text});
  });

  test('the cost follows from the price, cached input at its own rate', async () => {
    const price = {input: 1_000_000, cachedInput: 100_000, output: 2_000_000};
    const {outcome} = await callOver(wire, streams(wire.reply({text: 'x'})), {price});
    expect(outcome.usage?.costUsd).toBeCloseTo(60 + 4 + 14);
  });

  test.each([
    ['missing', null],
    ['negative', {input: -5, cached: 0, output: 7}],
    ['absurd', {input: 1e12, cached: 0, output: 7}],
    ['fractional', {input: 1.5, cached: 0, output: 7}],
    ['more cached than sent', {input: 10, cached: 20, output: 7}],
  ])('%s usage is dropped, so that the worst case is booked', async (_title, usage) => {
    const {outcome} = await callOver(wire, streams(wire.reply({text: 'x', usage})));
    expect(outcome.kind).toBe('ok');
    expect(outcome.usage).toBeUndefined();
  });

  test('a lone surrogate is replaced', async () => {
    const args = String.raw`{"path":"\ud800"}`;
    const reply = wire.reply({text: '\ud800!', calls: [{...good, args}]});
    expect(await outcomeOver(wire, streams(reply))).toMatchObject({
      text: '\ufffd!',
      calls: [{args: {path: '\ufffd'}}],
    });
  });

  const failures: readonly (readonly [string, WireReply, string, RegExp])[] = [
    ['text cut off at the limit', {text: 'Hel', stop: 'truncated'}, 'truncated', /cut off/],
    [
      'a call that is cut off',
      {calls: [{...good, args: '{"path":"a.txt","content":"he'}], stop: 'truncated'},
      'truncated',
      /cut off/,
    ],
    ['a refusal', {text: 'I', stop: 'refused'}, 'refused', /refused/],
    ['an unknown stop reason', {text: 'x', stop: 'strange'}, 'protocol', /unknown reason/],
    ['no content at all', {}, 'protocol', /empty/],
    ['nothing but blanks', {text: ' \n\t'}, 'protocol', /empty/],
    ['two calls with one id', {calls: [good, good]}, 'protocol', /same id|two ids|twice/],
    ['a call without an id', {calls: [{...good, id: ''}]}, 'protocol', /no id/],
    ['no last event', {text: 'whole', ended: false}, 'protocol', /broke off/],
  ];

  test.each(failures)('a reply with %s is a failure', async (_title, reply, kind, message) => {
    const {outcome} = await callOver(wire, streams(wire.reply(reply)));
    expect(outcome.kind).toBe(kind);
    expect(outcome).toHaveProperty('message', expect.stringMatching(message));
  });

  test('a failed reply still reports its usage', async () => {
    expect(
      (await outcomeOver(wire, streams(wire.reply({text: 'x', stop: 'truncated'})))).usage,
    ).toMatchObject({inputTokens: 100, outputTokens: 7});
  });

  test('an endless text is cut and says so', async () => {
    const reply = wire.reply({text: 'é'.repeat(200_000)});
    const {outcome} = await callOver(wire, streams(reply));
    const text = outcome.kind === 'ok' ? outcome.text : '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256 * 1024);
    expect(text).toMatch(/^é+/);
    expect(text).toMatch(/cut/);
  });

  test('the name of a tool is bounded; a cut name cannot match an offered tool', async () => {
    const longest = 'n'.repeat(256);
    expect(await calling({name: longest})).toMatchObject({calls: [{name: longest}]});
    const cut = await calling({name: 'n'.repeat(300_000)});
    expect(cut).toMatchObject({calls: [{name: `${longest}…`}]});
  });

  test('the id of a call is bounded: a cut id would name another call', async () => {
    expect(await calling({id: 'i'.repeat(16_384)})).toMatchObject({kind: 'ok'});
    expect(await calling({id: 'i'.repeat(16_385)})).toMatchObject(
      failing('protocol', 'an id of 16385 characters'),
    );
  });

  test.each([
    ['not JSON', 'rm -rf /; {{{', /not valid JSON/],
    ['half an object', '{"path":"a', /not valid JSON/],
    ['an array', '["a"]', /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['a key twice', '{"path":"a","path":"b"}', /"path" appears twice/],
    ['a key twice further in', String.raw`{"x":[{"a":1,"\u0061":2}]}`, /"a" appears twice/],
    ['a prototype', '{"__proto__":{"path":"a"}}', /"__proto__" is not allowed/],
    ['a constructor', '{"x":{"constructor":{"prototype":{}}}}', /"constructor"/],
    ['a deep nest', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /deeper than 64/],
    ['a number out of range', '{"n":1e999}', /out of range/],
  ])(
    'arguments that are %s are reported as a problem, not repaired',
    async (_title, args, problem) => {
      expect(
        await outcomeOver(wire, streams(wire.reply({calls: [{...good, args}]}))),
      ).toMatchObject({
        kind: 'ok',
        calls: [
          {id: 'call_1', name: 'read_file', args: {}, problem: expect.stringMatching(problem)},
        ],
      });
    },
  );
});

describe('calls and stop reasons that contradict each other', () => {
  const saysStop = wires.filter(({name}) => name !== 'responses');

  test.each(saysStop)(
    '$name: a stop reason for calls without a call is a failure',
    async (wire) => {
      expect(
        await outcomeOver(wire, streams(wire.reply({text: 'x', stop: 'calls'}))),
      ).toMatchObject(failing('protocol', /contains none/));
    },
  );

  test.each(saysStop)(
    '$name: incomplete calls in a reply with another stop reason are a failure',
    async (wire) => {
      const calls = [good, {...good, id: 'call_2', args: '{"path":"a.t'}];
      const reply = wire.reply({text: 'x', calls, stop: 'answered'});
      expect(await outcomeOver(wire, streams(reply))).toMatchObject(
        failing('protocol', /stop reason is not tool calls/),
      );
    },
  );
});

function reasoned(length: number): string {
  const choices = [{delta: {reasoning_content: 'r'.repeat(length)}}];
  return `data: ${JSON.stringify({choices})}\n\n`;
}

describe('particular to one wire format', () => {
  test('chat: a refusal in its own field is a refusal', async () => {
    const delta = {choices: [{index: 0, delta: {refusal: 'I can’t.'}, finish_reason: 'stop'}]};
    const {outcome} = await callOver(
      chat,
      streams(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`),
    );
    expect(outcome.kind).toBe('refused');
  });

  test('chat: empty choices alone are a failure', async () => {
    expect(
      (await outcomeOver(chat, streams('data: {"choices":[]}\n\ndata: [DONE]\n\n'))).kind,
    ).toBe('protocol');
  });

  test('chat: calls of a server that sends no index are distinguished by their ids', async () => {
    const pieces = [
      {id: 'a', function: {name: 'one', arguments: '{"x":'}},
      {function: {arguments: '1}'}},
      {id: 'b', function: {name: 'two', arguments: '{}'}},
    ];
    const chunks = pieces.map((call) => ({choices: [{delta: {tool_calls: [call]}}]}));
    const end = {choices: [{delta: {}, finish_reason: 'tool_calls'}]};
    const text = [...chunks, end].map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
    expect(await outcomeOver(chat, streams(`${text}data: [DONE]\n\n`))).toMatchObject({
      calls: [
        {id: 'a', name: 'one', args: {x: 1}},
        {id: 'b', name: 'two', args: {}},
      ],
    });
  });

  test('state that is too long is dropped as a whole, because a part of it would be invalid', async () => {
    const reply = chat.reply({text: 'Yes.'});
    const kept = await callOver(chat, streams(reasoned(500_000) + reply));
    expect(kept.outcome).toHaveProperty('opaque.model', 'c/m');
    const dropped = await callOver(chat, streams(reasoned(600_000) + reply));
    expect(dropped.outcome).toMatchObject({kind: 'ok', text: 'Yes.'});
    expect(dropped.outcome).not.toHaveProperty('opaque');
  });

  test('chat: reasoning alone is no answer', async () => {
    const thought = {choices: [{delta: {reasoning_content: 'Hm.'}, finish_reason: 'stop'}]};
    const text = `data: ${JSON.stringify(thought)}\n\ndata: [DONE]\n\n`;
    expect((await callOver(chat, streams(text))).outcome).toMatchObject({kind: 'protocol'});
  });

  test('chat: [DONE] inside a text does not end the reply', async () => {
    const text = 'data: [DONE]\n\n';
    expect((await outcomeOver(chat, streams(chat.reply({text, ended: false})))).kind).toBe(
      'protocol',
    );
  });

  test('anthropic: a full context window is an overflow, not a short answer', async () => {
    const text = anthropic
      .reply({text: 'x', stop: 'truncated'})
      .replace('max_tokens', 'model_context_window_exceeded');
    expect((await outcomeOver(anthropic, streams(text))).kind).toBe('contextOverflow');
  });

  test('anthropic: writing to the cache costs a quarter more', async () => {
    const price = {input: 1_000_000, cachedInput: 0, output: 0};
    const text = anthropic
      .reply({text: 'x', usage: {input: 10, cached: 0, output: 1}})
      .replace('"cache_creation_input_tokens":0', '"cache_creation_input_tokens":4');
    expect((await outcomeOver(anthropic, streams(text), {price})).usage).toMatchObject({
      inputTokens: 14,
      costUsd: 15,
    });
  });

  test('responses: a refusal in its own event is a refusal', async () => {
    const refusal = 'data: {"type":"response.refusal.delta","delta":"No."}\n\n';
    expect((await outcomeOver(responses, streams(refusal + responses.reply({})))).kind).toBe(
      'refused',
    );
  });
});

const tool = (name: string) => ({name, description: `Does ${name}.`, schema: {type: 'object'}});
const tools = [tool('read'), tool('write')];
const cached = {cache_control: {type: 'ephemeral'}};

function result(callId: string, text: string, isError = false): Message {
  return {role: 'tool', callId, name: 'read', text, isError};
}

function asked(...messages: readonly Message[]): typeof plainRequest {
  return {...plainRequest, transcript: appendMessages(openTranscript('Do it.'), ...messages)};
}

function turnWith(text: string): readonly Message[] {
  const calls = [{id: 'a', name: 'read', args: {}}];
  return [{role: 'assistant', text: '', calls}, result('a', text)];
}

function withoutMarkers(text: string): string {
  return text.replaceAll(/,"cache_control":\{[^}]*\}/g, '');
}

const twoCalls = asked(
  {
    role: 'assistant',
    text: 'I read.',
    calls: [
      {id: 'a', name: 'read', args: {path: 'x'}},
      {id: 'b', name: 'read', args: {path: 'y'}},
    ],
  },
  result('a', 'content'),
  result('nobody', 'stray'),
  result('b', 'no such file', true),
  {role: 'user', text: 'Continue.'},
);

describe('anthropic', () => {
  test('marks the end of the stable part and the end of the conversation for caching', () => {
    const body = toAnthropicRequest('m', plainRequest, tools);
    expect(body.system).toEqual([{type: 'text', text: 'Be brief.', ...cached}]);
    expect(body.messages).toEqual([
      {role: 'user', content: [{type: 'text', text: 'Say hello.', ...cached}]},
    ]);
  });

  test('marks the last tool when there is no system text', () => {
    const body = toAnthropicRequest('m', {...plainRequest, system: ''}, tools);
    expect(body.system).toBeUndefined();
    expect(body.tools?.at(-1)).toMatchObject({name: 'write', ...cached});
  });

  test('puts all results of a turn, and the text after them, into one user message', () => {
    const body = toAnthropicRequest('m', twoCalls, tools);
    expect(body.messages.map(({role}) => role)).toEqual(['user', 'assistant', 'user']);
    expect(body.messages[2]?.content).toEqual([
      {type: 'tool_result', tool_use_id: 'a', content: 'content', is_error: false},
      {type: 'tool_result', tool_use_id: 'b', content: 'no such file', is_error: true},
      {type: 'text', text: 'Continue.', ...cached},
    ]);
  });

  test.each([
    ['auto', 'auto'],
    ['required', 'any'],
    ['none', 'none'],
  ] as const)('a tool choice of %s is sent as %s', (toolChoice, type) => {
    const body = toAnthropicRequest('m', {...plainRequest, toolChoice}, tools);
    expect(body.tool_choice).toEqual({type});
  });
});

describe('the stable beginning of a message', () => {
  const stable = {
    messages: [{role: 'user', text: '# Background\n\n# Proposal', stable: 14}],
  } as const;
  const request = {...plainRequest, transcript: stable};
  const text = '# Background\n\n# Proposal';

  test('is a cached block of its own for Anthropic; what follows is not cached', () => {
    const {messages} = toAnthropicRequest('m', request, tools);
    expect(messages[0]?.content).toEqual([
      {type: 'text', text: '# Background\n\n', ...cached},
      {type: 'text', text: '# Proposal'},
    ]);
  });

  test('changes nothing for others', () => {
    expect(toOpenAiRequest('m', request, []).messages.at(-1)).toEqual({
      role: 'user',
      content: text,
    });
    expect(toResponsesRequest('m', request, []).input.at(-1)).toEqual({
      role: 'user',
      content: text,
    });
  });
});

describe('chat completions', () => {
  test('marks an error in the text of a result', () => {
    const {messages} = toOpenAiRequest('m', twoCalls, tools);
    expect(messages.slice(3)).toEqual([
      {role: 'tool', tool_call_id: 'a', content: 'content'},
      {role: 'tool', tool_call_id: 'b', content: 'error: no such file'},
      {role: 'user', content: 'Continue.'},
    ]);
  });
});

describe('responses', () => {
  test('send calls and results as items, and store nothing at the provider', () => {
    const body = toResponsesRequest('m', twoCalls, tools);
    expect(body.store).toBe(false);
    expect(body.input?.slice(2)).toEqual([
      {type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"x"}'},
      {type: 'function_call', call_id: 'b', name: 'read', arguments: '{"path":"y"}'},
      {type: 'function_call_output', call_id: 'a', output: 'content'},
      {type: 'function_call_output', call_id: 'b', output: 'error: no such file'},
      {role: 'user', content: 'Continue.'},
    ]);
  });
});

describe.each([
  ['anthropic', toAnthropicRequest],
  ['chat completions', toOpenAiRequest],
  ['responses', toResponsesRequest],
])('%s', (_name, toRequest) => {
  const sent = (request: typeof plainRequest): string =>
    JSON.stringify(toRequest('m', request, tools));

  test('tools keep their order: those brought in come last, so that the beginning stays the same', () => {
    const text = sent(plainRequest);
    expect(text.indexOf('Does read')).toBeGreaterThan(-1);
    expect(text.indexOf('Does read')).toBeLessThan(text.indexOf('Does write'));
    const reversed = JSON.stringify(toRequest('m', plainRequest, tools.toReversed()));
    expect(reversed.indexOf('Does write')).toBeLessThan(reversed.indexOf('Does read'));
  });

  test('a longer conversation begins with the same messages', () => {
    const start = withoutMarkers(sent(plainRequest)).split('Say hello.')[0] ?? '';
    const longer = {
      ...plainRequest,
      transcript: appendMessages(plainRequest.transcript, {role: 'user', text: 'More.'}),
    };
    expect(start).not.toBe('');
    expect(withoutMarkers(sent(longer)).startsWith(start)).toBe(true);
  });

  test('a request without tools has no tool choice', () => {
    expect(JSON.stringify(toRequest('m', plainRequest, []))).not.toMatch(/tool/);
  });

  test('a call without a result receives one, a result without a call is not sent', () => {
    const call = {id: 'a', name: 'read', args: {}};
    expect(sent(asked({role: 'assistant', text: '', calls: [call]}))).toContain('was not made');
    expect(sent(twoCalls)).not.toContain('stray');
  });

  test('a reused id belongs to its own turn', () => {
    const text = sent(asked(...turnWith('first'), ...turnWith('second')));
    expect(text.match(/first|second/g)).toEqual(['first', 'second']);
  });

  test('text that providers refuse is repaired: blank text, lone surrogates, invalid names', () => {
    const call = {id: 'a b', name: 'rm -rf /', args: {}};
    const text = sent(
      asked({role: 'assistant', text: ' ', calls: [call]}, result('a b', '\ud800')),
    );
    expect(text).toContain('\ufffd');
    expect(text).toContain('rm_-rf__');
    expect(text).not.toMatch(/"a b"|"text":" "|"content":" "/);
  });
});
