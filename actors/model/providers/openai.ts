/**
 * OpenAI by its Responses, and every server that speaks its Chat Completions, through OpenAI's SDK, which is imported at
 * the first call. OpenAI's newer models take no tools, or nothing at all, by Chat Completions.
 */

import type {OpenAI} from 'openai';

import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {Model, OfferedTool} from '../model.ts';
import {callAdapter, limitsOf, placeholderKey} from '../wire/adapter.ts';
import type {AdapterOptions, OpenReply} from '../wire/adapter.ts';
import type {Guarded} from '../wire/guard.ts';
import {createGuardedFetch, sendFor} from '../wire/guarded-fetch.ts';
import {toOpenAiRequest} from './openai-request.ts';
import {createOpenAiReader} from './openai-stream.ts';
import {toResponsesRequest} from './responses-request.ts';
import {createResponsesReader} from './responses-stream.ts';

/** Nothing is read from the environment: no key, no address, no headers. */
export function createOpenAiModel(options: AdapterOptions): Model {
  const open = options.api === 'responses' ? openResponses : openChat;
  let connecting: Promise<OpenAI> | undefined;
  return {
    name: options.name,
    call: (request, context) =>
      callAdapter(options, request, context, async (guarded) => {
        connecting ??= createClient(options);
        const client = await connecting;
        return await open({client, options, guarded, request, tools: context.tools});
      }),
  };
}

interface Call {
  readonly client: OpenAI;
  readonly options: AdapterOptions;
  readonly guarded: Guarded;
  readonly request: ModelRequest;
  readonly tools: readonly OfferedTool[];
}

async function openChat({client, options, guarded, request, tools}: Call): Promise<OpenReply> {
  const body = toOpenAiRequest(options.model, request, tools, options.asksUsage);
  const message = await sendFor(guarded, () => client.chat.completions.create(body).asResponse());
  return {message, reader: createOpenAiReader(guarded.onDelta)};
}

async function openResponses({client, options, guarded, request, tools}: Call): Promise<OpenReply> {
  const body = toResponsesRequest(options.model, request, tools);
  const message = await sendFor(guarded, () => client.responses.create(body).asResponse());
  return {message, reader: createResponsesReader(guarded.onDelta)};
}

async function createClient(options: AdapterOptions): Promise<OpenAI> {
  const {OpenAI} = await import('openai');
  const {baseUrl, apiKey} = options;
  const limits = limitsOf(options);
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
    timeout: limits.totalMs,
    logLevel: 'off',
    fetch: createGuardedFetch({headers, limits}),
  });
}
