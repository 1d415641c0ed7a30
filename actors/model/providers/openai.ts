/**
 * Calls OpenAI through Responses, and compatible servers through Chat Completions, with OpenAI's SDK, which is imported at the
 * first call. Through Chat Completions, OpenAI's newer models accept no tools or are not available.
 */

import type {OpenAI} from 'openai';

import type {Model} from '../model.ts';
import {callAdapter, ownFetch, sharedClient} from '../wire/adapter.ts';
import type {
  AdapterOptions,
  ClientOptions,
  OpenCall,
  OpenReply,
  Provider,
} from '../wire/adapter.ts';
import {toOpenAiRequest} from './openai-request.ts';
import {createOpenAiReader} from './openai-stream.ts';
import {toResponsesRequest} from './responses-request.ts';
import {createResponsesReader} from './responses-stream.ts';

/** Keys, addresses and headers are never read from the environment. */
export function createOpenAiModel(options: AdapterOptions): Model {
  const clientOf = sharedClient(async (client) => createClient(options.baseUrl, client));
  const open = options.api === 'responses' ? openResponses : openChat;
  const provider: Provider = {
    headers: (key) => ({authorization: `Bearer ${key}`}),
    demands: new Set(),
    open: async (call) => open(await clientOf(call.client), options, call),
  };
  return {
    name: options.name,
    call: (request, context) => callAdapter(options, request, context, provider),
  };
}

async function openChat(
  {chat}: OpenAI,
  {model, asksUsage}: AdapterOptions,
  {client, request, tools, onDelta, demands}: OpenCall,
): Promise<OpenReply> {
  const body = toOpenAiRequest(model, request, tools, {asksUsage, demands});
  const events = await chat.completions.create(body, ownFetch(client));
  return {events, reader: createOpenAiReader(onDelta)};
}

async function openResponses(
  openAi: OpenAI,
  {model}: AdapterOptions,
  {client, request, tools, onDelta}: OpenCall,
): Promise<OpenReply> {
  const body = toResponsesRequest(model, request, tools);
  const options = {body, stream: true, ...ownFetch(client)};
  const events = await openAi.post<AsyncIterable<unknown>>('/responses', options);
  return {events, reader: createResponsesReader(onDelta)};
}

async function createClient(baseURL: string, options: ClientOptions): Promise<OpenAI> {
  const {OpenAI} = await import('openai');
  return new OpenAI({
    ...options,
    baseURL,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  });
}
