/**
 * OpenAI by its Responses, and every server that speaks its Chat Completions, through OpenAI's SDK, which is imported at
 * the first call. OpenAI's newer models take no tools, or nothing at all, by Chat Completions.
 */

import type {OpenAI} from 'openai';

import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {Model, OfferedTool} from '../model.ts';
import {callAdapter, placeholderKey} from '../wire/adapter.ts';
import type {AdapterOptions, OpenReply} from '../wire/adapter.ts';
import type {Guarded, GuardLimits} from '../wire/guard.ts';
import {createGuardedFetch} from '../wire/guarded-fetch.ts';
import {toOpenAiRequest} from './openai-request.ts';
import {createOpenAiReader} from './openai-stream.ts';
import {toResponsesRequest} from './responses-request.ts';
import {createResponsesReader} from './responses-stream.ts';

/** Nothing is read from the environment: no key, no address, no headers. */
export function createOpenAiModel(options: AdapterOptions): Model {
  const open = options.api === 'responses' ? openResponses : openChat;
  return {
    name: options.name,
    call: (request, context) =>
      callAdapter(options, request, context, (guarded, limits) =>
        open({options, guarded, limits, request, tools: context.tools}),
      ),
  };
}

interface Call {
  readonly options: AdapterOptions;
  readonly guarded: Guarded;
  readonly limits: GuardLimits;
  readonly request: ModelRequest;
  readonly tools: readonly OfferedTool[];
}

async function openChat(call: Call): Promise<OpenReply> {
  const client = await createClient(call);
  const {model, asksUsage} = call.options;
  const body = toOpenAiRequest(model, call.request, call.tools, asksUsage);
  const sent = client.chat.completions.create(body, {signal: call.guarded.signal});
  return {response: await sent.asResponse(), reader: createOpenAiReader(call.guarded.onDelta)};
}

async function openResponses(call: Call): Promise<OpenReply> {
  const client = await createClient(call);
  const body = toResponsesRequest(call.options.model, call.request, call.tools);
  const sent = client.responses.create(body, {signal: call.guarded.signal});
  return {response: await sent.asResponse(), reader: createResponsesReader(call.guarded.onDelta)};
}

async function createClient({
  options: {baseUrl, apiKey},
  guarded,
  limits: {totalMs, maxBytes},
}: Call): Promise<OpenAI> {
  const {OpenAI} = await import('openai');
  const key = apiKey || placeholderKey;
  const headers = {authorization: `Bearer ${key}`};
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: key,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: totalMs,
    logLevel: 'off',
    fetch: createGuardedFetch(guarded, {headers, maxBytes}),
  });
}
