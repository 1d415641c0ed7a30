/** The outcome of a reply in each wire format: text, calls, and every kind of invalid reply. */

import {describe, expect, test} from 'vitest';

import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {streams, trickles} from '../../../support/fault-server.ts';
import {callOver} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';
import type {WireReply} from '../../../support/wires.ts';

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
    const {outcome} = await callOver(wire, streams(reply));
    expect(outcome).toMatchObject({
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
    const {outcome} = await callOver(wire, trickles(wire.reply({text})));
    expect(outcome).toMatchObject({kind: 'ok', text});
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
    const {outcome} = await callOver(wire, streams(reply));
    expect(outcome).toMatchObject({text: '\ufffd!', calls: [{args: {path: '\ufffd'}}]});
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
    const {outcome} = await callOver(wire, streams(wire.reply({text: 'x', stop: 'truncated'})));
    expect(outcome.usage).toMatchObject({inputTokens: 100, outputTokens: 7});
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
    expect(await calling({id: 'i'.repeat(16_385)})).toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining('an id of 16385 characters'),
    });
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
      const {outcome} = await callOver(wire, streams(wire.reply({calls: [{...good, args}]})));
      expect(outcome).toMatchObject({
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
      const {outcome} = await callOver(wire, streams(wire.reply({text: 'x', stop: 'calls'})));
      expect(outcome).toMatchObject({
        kind: 'protocol',
        message: expect.stringMatching(/contains none/),
      });
    },
  );

  test.each(saysStop)(
    '$name: incomplete calls in a reply with another stop reason are a failure',
    async (wire) => {
      const calls = [good, {...good, id: 'call_2', args: '{"path":"a.t'}];
      const reply = wire.reply({text: 'x', calls, stop: 'answered'});
      const {outcome} = await callOver(wire, streams(reply));
      expect(outcome).toMatchObject({
        kind: 'protocol',
        message: expect.stringMatching(/stop reason is not tool calls/),
      });
    },
  );
});

function reasoned(length: number): string {
  const choices = [{delta: {reasoning_content: 'r'.repeat(length)}}];
  return `data: ${JSON.stringify({choices})}\n\n`;
}

describe('particular to one wire format', () => {
  const [anthropic, chat, responses] = wires;
  if (!anthropic || !chat || !responses) throw new Error('a wire format is missing');

  test('chat: a refusal in its own field is a refusal', async () => {
    const delta = {choices: [{index: 0, delta: {refusal: 'I can’t.'}, finish_reason: 'stop'}]};
    const {outcome} = await callOver(
      chat,
      streams(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`),
    );
    expect(outcome.kind).toBe('refused');
  });

  test('chat: empty choices alone are a failure', async () => {
    const {outcome} = await callOver(chat, streams('data: {"choices":[]}\n\ndata: [DONE]\n\n'));
    expect(outcome.kind).toBe('protocol');
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
    const {outcome} = await callOver(chat, streams(`${text}data: [DONE]\n\n`));
    expect(outcome).toMatchObject({
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
    const {outcome} = await callOver(chat, streams(chat.reply({text, ended: false})));
    expect(outcome.kind).toBe('protocol');
  });

  test('anthropic: a full context window is an overflow, not a short answer', async () => {
    const text = anthropic
      .reply({text: 'x', stop: 'truncated'})
      .replace('max_tokens', 'model_context_window_exceeded');
    const {outcome} = await callOver(anthropic, streams(text));
    expect(outcome.kind).toBe('contextOverflow');
  });

  test('anthropic: writing to the cache costs a quarter more', async () => {
    const price = {input: 1_000_000, cachedInput: 0, output: 0};
    const text = anthropic
      .reply({text: 'x', usage: {input: 10, cached: 0, output: 1}})
      .replace('"cache_creation_input_tokens":0', '"cache_creation_input_tokens":4');
    const {outcome} = await callOver(anthropic, streams(text), {price});
    expect(outcome.usage).toMatchObject({inputTokens: 14, costUsd: 15});
  });

  test('responses: a refusal in its own event is a refusal', async () => {
    const refusal = 'data: {"type":"response.refusal.delta","delta":"No."}\n\n';
    const {outcome} = await callOver(responses, streams(refusal + responses.reply({})));
    expect(outcome.kind).toBe('refused');
  });
});
