/** Servers that ask the person during a call: both protocols, real processes, one process after another. */

import {join} from 'node:path';

import {describe, expect, it} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import type {CallInput, InputAnswer} from '../../../machines/server-input/server-input.ts';
import type {Connection} from '../../../tools/mcp/connection.ts';
import {converse} from '../../../tools/mcp/questions/conversation.ts';
import {OpenCalls} from '../../../tools/mcp/questions/open-calls.ts';
import type {McpServer} from '../../../tools/mcp/server.ts';
import {createMcpPlace, listed, type McpPlace, serverOf} from './place.ts';

const modern = join(import.meta.dirname, '../../fixtures/mcp/modern.ts');
const launch = {kind: 'stdio', command: process.execPath, args: [modern], env: {}} as const;

const level = {type: 'integer', title: 'Depth', minimum: 1, maximum: 9};
const formOf = (properties: object, message = 'How deep?'): JsonObject => ({
  message,
  requestedSchema: {type: 'object', properties: {...properties}, required: ['level']},
});
const depth = formOf({level});

interface Dialogue {
  readonly place: McpPlace;
  readonly outcomes: ToolOutcome[];
  /** The first part of the call, or the next one with an answer to the last question. */
  readonly next: (answer?: Omit<InputAnswer, 'question'>) => Promise<ToolOutcome>;
  readonly restart: () => Promise<void>;
}

type Asks = Extract<ToolOutcome, {kind: 'asksPerson'}>;

function asks(outcome: ToolOutcome | undefined): Asks {
  if (outcome?.kind !== 'asksPerson')
    throw new Error(`it asks nothing: ${JSON.stringify(outcome)}`);
  return outcome;
}

async function begin(
  tool: string,
  args: JsonObject = {},
  {canAsk = true, trusted = false} = {},
): Promise<Dialogue> {
  const place = createMcpPlace();
  const tools = ['ask', 'ask_all', 'capabilities', 'echo'].map((name) =>
    listed(name, {annotations: {readOnlyHint: trusted}}),
  );
  const server: McpServer = tool.startsWith('modern')
    ? serverOf('modern', launch, trusted)
    : {...place.byHand({tools}), trusted};
  let servers = place.open(server);
  await servers.ready();
  const outcomes: ToolOutcome[] = [];
  const answers: InputAnswer[] = [];
  return {
    place,
    outcomes,
    restart: async () => {
      await servers.end();
      servers = place.open(server);
    },
    next: async (answer) => {
      const last = answer && asks(outcomes.at(-1));
      if (last && answer) answers.push({question: last.question.digest, ...answer});
      const input: CallInput | undefined = last && {held: last.held, answers: [...answers]};
      const outcome = await place.call(servers, tool, args, {canAsk, ...(input ? {input} : {})});
      outcomes.push(outcome);
      return outcome;
    },
  };
}

const accept = (content: JsonObject) => ({action: 'accept', content}) as const;
const textOf = (outcome: ToolOutcome): string =>
  'text' in outcome ? (outcome.text ?? '').split('\n').slice(2).join('\n') : outcome.kind;

describe('a server of the older protocol', () => {
  it('asks during a call, which continues with the answer', async () => {
    const {place, next} = await begin('hand__ask', {questions: [depth]});
    expect(asks(await next()).question).toEqual({
      server: 'hand',
      message: 'How deep?',
      fields: [{name: 'level', required: true, type: 'integer', min: 1, max: 9, title: 'Depth'}],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const done = await next(accept({level: 3}));
    expect(textOf(done)).toBe('{"action":"accept","content":{"level":3}}');
    expect(place.groups).toHaveLength(1);
    expect(place.requests().filter((line) => line === 'tools/call')).toHaveLength(1);
  });

  it('asks again in the same call, also after a decline', async () => {
    const second = formOf({level: {type: 'boolean', default: true}}, 'Sure?');
    const {next} = await begin('hand__ask', {questions: [depth, second]});
    await next();
    expect(asks(await next({action: 'decline'})).question.message).toBe('Sure?');
    expect(textOf(await next(accept({level: true})))).toBe(
      '{"action":"decline"}\n{"action":"accept","content":{"level":true}}',
    );
  });

  it('asks the same again after an answer that it does not accept: the person is asked again', async () => {
    const {next} = await begin('hand__ask', {questions: [depth, depth]});
    await next();
    asks(await next(accept({level: 1})));
    expect(textOf(await next(accept({level: 2})))).toContain('{"level":2}');
  });

  it('asks several things at once: the person is asked one after another', async () => {
    const other = formOf({level: {type: 'string', enum: ['a', 'b']}}, 'Which?');
    const {next} = await begin('hand__ask_all', {questions: [depth, other]});
    await next();
    expect(asks(await next(accept({level: 1}))).question.message).toBe('Which?');
    expect(textOf(await next(accept({level: 'b'})))).toContain('{"level":"b"}');
  });

  it('is told that it can ask only when a person can answer', async () => {
    const attended = await begin('hand__capabilities');
    expect(JSON.parse(textOf(await attended.next()))).toEqual({elicitation: {form: {}}});
    const alone = await begin('hand__capabilities', {}, {canAsk: false});
    expect(JSON.parse(textOf(await alone.next()))).toEqual({});
  });

  it('that asks undeclared receives an error, and nobody is asked', async () => {
    const {next} = await begin('hand__ask', {questions: [depth]}, {canAsk: false});
    expect(textOf(await next())).toContain('-32601');
  });

  it('that gives up the call while the person thinks has failed, whatever is answered', async () => {
    const {place, next} = await begin('hand__ask', {questions: [depth], endsMs: 50});
    asks(await next());
    await expect.poll(() => place.requests()).toContain('gave up');
    expect(await next(accept({level: 3}))).toMatchObject({
      kind: 'failed',
      code: 'server_fault',
      text: expect.stringContaining('nobody answered'),
    });
  });

  it('receives a cancellation when the call is over while it asks', async () => {
    const place = createMcpPlace();
    const servers = place.open(place.byHand({tools: [listed('ask'), listed('echo')]}));
    await servers.ready();
    const whole = new AbortController();
    const args = {questions: [depth]};
    asks(await place.call(servers, 'hand__ask', args, {canAsk: true, whole: whole.signal}));
    whole.abort();
    await expect.poll(() => place.requests()).toContain('the call was cancelled');
    expect(await place.call(servers, 'hand__echo', {})).toMatchObject({kind: 'succeeded'});
  });

  it('receives a cancellation when its run ends while it asks', async () => {
    const {place, next, restart} = await begin('hand__ask', {questions: [depth]});
    asks(await next());
    await restart();
    expect(place.requests()).toContain('the call was cancelled');
  });

  it('is asked again by a later process if the call may be repeated, and has the same answer', async () => {
    const {place, next, restart} = await begin('hand__ask', {questions: [depth]}, {trusted: true});
    asks(await next());
    await restart();
    expect(textOf(await next(accept({level: 3})))).toContain('{"level":3}');
    expect(place.requests().filter((line) => line === 'tools/call')).toHaveLength(2);
  });

  it('is not called again by a later process otherwise: the call is in doubt', async () => {
    const {place, next, restart} = await begin('hand__ask', {questions: [depth]});
    asks(await next());
    await restart();
    expect(await next(accept({level: 3}))).toEqual({
      kind: 'inDoubt',
      message:
        'the MCP server hand was ended before it received the answer. If the call is repeated and the same is asked, it receives the answer.',
    });
    expect(place.requests().filter((line) => line === 'tools/call')).toHaveLength(1);
  });

  it('that asks too much is cancelled', async () => {
    const questions = Array.from({length: 7}, () => depth);
    const {place, next} = await begin('hand__ask', {questions});
    await next();
    for (let n = 0; n < 4; n += 1) asks(await next(accept({level: 1})));
    expect(await next(accept({level: 1}))).toMatchObject({
      kind: 'failed',
      code: 'too_many_questions',
      message: 'the call was ended after 5 questions to the person, all from the MCP server hand',
    });
    await expect.poll(() => place.requests()).toContain('the call was cancelled');
  });

  it('that asks a thousand things at once has its call ended, without a person', async () => {
    const questions = Array.from({length: 1_000}, () => depth);
    const {next} = await begin('hand__ask_all', {questions});
    let last = await next();
    for (let n = 0; n < 5 && last.kind === 'asksPerson'; n += 1) {
      last = await next(accept({level: 1}));
    }
    expect(last).toMatchObject({kind: 'failed', code: 'too_many_questions'});
  });
});

const many = Object.fromEntries(
  Array.from({length: 500}, (_, n) => [`field${n}`, {type: 'string'}]),
);

describe('a question', () => {
  it.each([
    ['a nested form', formOf({level: {type: 'object', properties: {}}}), 'Invalid'],
    ['500 fields', {...formOf({...many, level})}, 'at most 30'],
    [
      'a page to open',
      {mode: 'url', message: 'go', url: 'https://a.example', elicitationId: '1'},
      'URL',
    ],
    [
      'a field with a hidden name',
      formOf({level, 'a\u202Eb': {type: 'string'}}),
      'name of a field',
    ],
    [
      'a choice that can not be shown',
      formOf({level: {type: 'string', enum: ['\u001b[2J']}}),
      'choice',
    ],
    ['no choices', formOf({level: {type: 'string', enum: []}}), 'choices'],
  ])('with %s is refused, and the server is told why', async (_, question, why) => {
    const {next} = await begin('hand__ask', {questions: [question]});
    const text = textOf(await next());
    expect(text).toContain('-32602');
    expect(text).toContain(why);
  });

  it('is bounded, and contains no control characters', async () => {
    const message = `\u001b[2J\u202Eevil${'x'.repeat(1_000_000)}`;
    const hostile = {...level, title: '\u001b]0;owned\u0007', description: 'a\nb\u200B'};
    const {next} = await begin('hand__ask', {questions: [formOf({level: hostile}, message)]});
    const {question} = asks(await next());
    expect(question.message.length).toBeLessThan(4_100);
    expect(question.message).toContain(String.raw`\x1b[2J<U+202E>evil`);
    expect(question.message).toMatch(/more characters are not shown]$/);
    expect(question.fields[0]).toMatchObject({
      title: String.raw`\x1b]0;owned\x07`,
      description: String.raw`a\nb<U+200B>`,
    });
  });
});

describe('a server of 2026-07-28', () => {
  it('asks for all that it needs at once, and receives the answers with its state', async () => {
    const {next} = await begin('modern__reserve');
    const first = asks(await next());
    expect(first.question.fields).toEqual([
      {
        name: 'seat',
        required: false,
        type: 'choice',
        default: 'second',
        choices: [{value: 'first'}, {value: 'second'}],
      },
      {name: 'seats', required: true, type: 'integer', min: 1, max: 9},
    ]);
    expect(asks(await next(accept({seat: 'first', seats: 2}))).question.message).toBe('Sure?');
    expect(JSON.parse(textOf(await next({action: 'decline'})))).toEqual({
      inputResponses: {
        seat: {action: 'accept', content: {seat: 'first', seats: 2}},
        sure: {action: 'decline'},
      },
      state: 'round one',
    });
  });

  it('continues in a later process: nothing is repeated or in doubt', async () => {
    const {next, restart} = await begin('modern__reserve');
    await next();
    await restart();
    await next(accept({seat: 'first', seats: 2}));
    await restart();
    expect(textOf(await next(accept({sure: true})))).toContain('"state":"round one"');
  });

  it('that asks to open a page fails its call', async () => {
    const {next} = await begin('modern__visit');
    expect(await next()).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('do not declare'),
    });
  });

  it('that asks for a nested form fails its call', async () => {
    const params = formOf({level: {type: 'object', properties: {}}});
    const {next} = await begin('modern__odd', {request: {method: 'elicitation/create', params}});
    expect(await next()).toMatchObject({
      kind: 'failed',
      code: 'bad_question',
      message:
        "nobody was asked, as a question that can't be shown came from the MCP server modern",
      text: 'its field level has the type "object"; only plain values are asked for',
      retryable: false,
    });
  });
});

const elicits = {method: 'elicitation/create', params: depth};
const page = {...depth, mode: 'url', url: 'https://a.example'};

/** Answers that the library of a server refuses to send. */
it.each([
  [{needs: {a: {method: 'elicitation/create', params: page}}}, 'bad_question'],
  [{needs: {a: {method: 'sampling/createMessage', params: {}}}}, 'needs_person'],
  [{needs: {a: {method: 'roots/list'}}}, 'needs_person'],
  [{needs: {a: 'x'}}, 'needs_person'],
  [{needs: {a: elicits}, state: 'x'.repeat(70_000)}, 'server_fault'],
  [
    {needs: Object.fromEntries(Array.from({length: 6}, (_, n) => [n, elicits]))},
    'too_many_questions',
  ],
])('a server that needs %.100j fails its call', async (need, code) => {
  const connection: Connection = {
    isLegacy: false,
    ask: async () => await Promise.resolve(need),
    list: async () => await Promise.resolve({tools: [], hasResources: false, hasPrompts: false}),
    isStale: () => false,
    onEnd: () => {},
    close: async () => await Promise.resolve(),
  };
  const talk = {
    server: 'odd',
    connection,
    calls: new OpenCalls(),
    request: {kind: 'resource', uri: 'a'} as const,
    onProgress: () => {},
  };
  const asked = converse(talk, {signal: new AbortController().signal});
  await expect(asked).rejects.toMatchObject({code});
});
