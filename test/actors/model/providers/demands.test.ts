/** Demands that a provider states by refusing a request: obeyed, and remembered for the model. */

import {describe, expect, test} from 'vitest';

import type {Model, ModelCallContext} from '../../../../actors/model/model.ts';
import {appendMessages, replyMessage} from '../../../../machines/prompts/transcript.ts';
import {type Play, replies, streams} from '../../../support/fault-server.ts';
import {plainRequest, serve, testKey} from '../../../support/model-call.ts';
import {type Wire, wires} from '../../../support/wires.ts';

const vote = {name: 'vote', description: 'Votes.', schema: {type: 'object'}};
const forced = {...plainRequest, tools: ['vote'], toolChoice: 'required'} as const;
const context: ModelCallContext = {
  tools: [vote],
  signal: new AbortController().signal,
  onDelta: () => {},
};

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
      expect(await model.call(forced, context)).toMatchObject({kind: 'ok', text: 'Yes.'});
      expect(await model.call(forced, context)).toMatchObject({kind: 'ok'});
      expect(bodies().map((body) => isForced.test(body))).toEqual([true, false, false]);
    },
  );

  test('calls at the same time each learn what one has learned', async () => {
    const message = 'tool_choice: only auto is supported';
    const {model} = await modelOn(wire, refusing(wire, isForced, message));
    const outcomes = await Promise.all([1, 2, 3].map(() => model.call(forced, context)));
    expect(outcomes.map(({kind}) => kind)).toEqual(['ok', 'ok', 'ok']);
  });

  test('a refusal that says nothing new is a failure', async () => {
    const {model, bodies} = await modelOn(wire, refusing(wire, /./, 'bad tool_choice'));
    expect(await model.call(forced, context)).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('bad tool_choice'),
    });
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
    expect(await model.call(request, context)).toMatchObject({kind: 'ok'});
    expect(await model.call(request, context)).toMatchObject({kind: 'ok'});
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
