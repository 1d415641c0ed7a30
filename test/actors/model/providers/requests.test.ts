/** The layout of requests: a stable prefix, every call with its result, and nothing that a provider refuses. */

import {describe, expect, test} from 'vitest';

import {toAnthropicRequest} from '../../../../actors/model/providers/anthropic-request.ts';
import {toOpenAiRequest} from '../../../../actors/model/providers/openai-request.ts';
import {toResponsesRequest} from '../../../../actors/model/providers/responses-request.ts';
import {appendMessages, openTranscript} from '../../../../machines/prompts/transcript.ts';
import type {Message} from '../../../../machines/prompts/transcript.ts';
import {plainRequest} from '../../../support/model-call.ts';

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
