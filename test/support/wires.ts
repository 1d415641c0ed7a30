/** The wire formats of the adapters: the same replies in each of them. */

import type {Model} from '../../actors/model/model.ts';
import {createAnthropicModel} from '../../actors/model/providers/anthropic.ts';
import {createOpenAiModel} from '../../actors/model/providers/openai.ts';
import type {AdapterOptions} from '../../actors/model/wire/adapter.ts';

// The adapters import these at their first call; here no test spends time on it.
await Promise.all([import('@anthropic-ai/sdk'), import('openai')]);

interface WireCall {
  readonly id: string;
  readonly name: string;
  /** As text, which need not be JSON. */
  readonly args: string;
}

interface WireUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface WireReply {
  readonly text?: string;
  readonly calls?: readonly WireCall[];
  /** Default: the reason that matches the calls. `strange`: an unknown word. */
  readonly stop?: 'answered' | 'calls' | 'truncated' | 'refused' | 'strange';
  readonly usage?: WireUsage | null;
  /** Default true: the stream has its regular end. */
  readonly ended?: boolean;
}

export interface Wire {
  readonly name: string;
  readonly create: (options: Omit<AdapterOptions, 'name' | 'model'>) => Model;
  readonly reply: (reply: WireReply) => string;
  /** A piece of text that does not end the reply. */
  readonly piece: (text: string) => string;
  readonly ping: string;
  /** An error event within a stream. */
  readonly error: (type: string, message: string) => string;
  /** The body of a reply with an error status. */
  readonly errorBody: (type: string, message: string) => unknown;
  readonly path: string;
}

const usual: WireUsage = {input: 100, cached: 40, output: 7};

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({type, ...data})}\n\n`;
}

function chunk(delta: object, finishReason: string | null = null): string {
  const choices = [{index: 0, delta, finish_reason: finishReason}];
  return `data: ${JSON.stringify({id: 'c', object: 'chat.completion.chunk', choices})}\n\n`;
}

function stopOf({stop, calls = []}: WireReply): NonNullable<WireReply['stop']> {
  return stop ?? (calls.length > 0 ? 'calls' : 'answered');
}

/** Splits in halves, so that arguments arrive in pieces. */
function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

const anthropicStops = {
  answered: 'end_turn',
  calls: 'tool_use',
  truncated: 'max_tokens',
  refused: 'refusal',
  strange: 'vanished',
};

function anthropicText(text: string): string {
  return event('content_block_delta', {index: 0, delta: {type: 'text_delta', text}});
}

const anthropicStart =
  event('message_start', {message: {id: 'm', role: 'assistant', content: []}}) +
  event('content_block_start', {index: 0, content_block: {type: 'text', text: ''}});

function anthropicCall({id, name, args}: WireCall, at: number): string {
  const index = at + 1;
  return [
    event('content_block_start', {index, content_block: {type: 'tool_use', id, name, input: {}}}),
    ...halves(args).map((half) =>
      event('content_block_delta', {index, delta: {type: 'input_json_delta', partial_json: half}}),
    ),
    event('content_block_stop', {index}),
  ].join('');
}

function anthropicReply(reply: WireReply): string {
  const {text = '', calls = [], usage = usual, ended = true} = reply;
  const counts = usage && {
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
    output_tokens: usage.output,
  };
  return [
    anthropicStart,
    ...(text === '' ? [] : [anthropicText(text)]),
    event('content_block_stop', {index: 0}),
    ...calls.map(anthropicCall),
    event('message_delta', {delta: {stop_reason: anthropicStops[stopOf(reply)]}, usage: counts}),
    ...(ended ? [event('message_stop', {})] : []),
  ].join('');
}

const chatStops = {
  answered: 'stop',
  calls: 'tool_calls',
  truncated: 'length',
  refused: 'content_filter',
  strange: 'vanished',
};

function chatCall({id, name, args}: WireCall, index: number): string {
  const first = {index, id, type: 'function', function: {name, arguments: ''}};
  const rest = halves(args).map((half) => ({index, function: {arguments: half}}));
  return [first, ...rest].map((call) => chunk({tool_calls: [call]})).join('');
}

function chatReply(reply: WireReply): string {
  const {text = '', calls = [], usage = usual, ended = true} = reply;
  const counts = usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    prompt_tokens_details: {cached_tokens: usage.cached},
  };
  return [
    chunk({role: 'assistant', content: ''}),
    ...(text === '' ? [] : [chunk({content: text})]),
    ...calls.map(chatCall),
    chunk({}, chatStops[stopOf(reply)]),
    `data: ${JSON.stringify({id: 'c', choices: [], usage: counts})}\n\n`,
    ...(ended ? ['data: [DONE]\n\n'] : []),
  ].join('');
}

const responsesEnds = {
  answered: ['completed', null],
  calls: ['completed', null],
  truncated: ['incomplete', {reason: 'max_output_tokens'}],
  refused: ['incomplete', {reason: 'content_filter'}],
  strange: ['incomplete', {reason: 'vanished'}],
} as const;

function responsesReply(reply: WireReply): string {
  const {text = '', calls = [], usage = usual, ended = true} = reply;
  const counts = usage && {
    input_tokens: usage.input,
    output_tokens: usage.output,
    input_tokens_details: {cached_tokens: usage.cached},
  };
  const [status, details] = responsesEnds[stopOf(reply)];
  const response = {id: 'r', status, output: [], usage: counts, incomplete_details: details};
  const items = calls.map(({id, name, args}, index) =>
    event('response.output_item.done', {
      output_index: index,
      item: {type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: args},
    }),
  );
  return [
    event('response.created', {response: {id: 'r', status: 'in_progress', output: []}}),
    ...(text === '' ? [] : [event('response.output_text.delta', {delta: text})]),
    ...items,
    ...(ended ? [event(`response.${status}`, {response})] : []),
  ].join('');
}

function openAiError(type: string, message: string): object {
  return {error: {message, type, code: type, param: null}};
}

export const anthropic: Wire = {
  name: 'anthropic',
  create: (options) => createAnthropicModel({...options, name: 'a/m', model: 'm'}),
  reply: anthropicReply,
  piece: (text) => anthropicStart + anthropicText(text),
  ping: event('ping', {}),
  error: (type, message) => event('error', {error: {type, message}}),
  errorBody: (type, message) => ({type: 'error', error: {type, message}}),
  path: '/v1/messages',
};

export const chat: Wire = {
  name: 'chat completions',
  create: (options) =>
    createOpenAiModel({...options, baseUrl: `${options.baseUrl}/v1`, name: 'c/m', model: 'm'}),
  reply: chatReply,
  piece: (text) => chunk({content: text}),
  ping: ': keepalive\n\n',
  error: (type, message) => `data: ${JSON.stringify(openAiError(type, message))}\n\n`,
  errorBody: openAiError,
  path: '/v1/chat/completions',
};

export const responses: Wire = {
  name: 'responses',
  create: (options) =>
    createOpenAiModel({
      ...options,
      baseUrl: `${options.baseUrl}/v1`,
      api: 'responses',
      name: 'r/m',
      model: 'm',
    }),
  reply: responsesReply,
  piece: (text) => event('response.output_text.delta', {delta: text}),
  ping: ': keepalive\n\n',
  error: (type, message) =>
    event('response.failed', {response: {status: 'failed', error: {code: type, message}}}),
  errorBody: openAiError,
  path: '/v1/responses',
};

export const wires: readonly Wire[] = [anthropic, chat, responses];
