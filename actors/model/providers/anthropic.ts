/** Calls Claude with Anthropic's SDK, which is imported at the first call. */

import type {ModelRequest} from '../../../machines/domain/model.ts';
import {appendMessages, replyMessage} from '../../../machines/prompts/transcript.ts';
import type {Model} from '../model.ts';
import {anthropicModelId} from '../prices.ts';
import {callAdapter, ownFetch, sharedClient} from '../wire/adapter.ts';
import type {AdapterOptions, OpenCall, OpenReply, Provider, ReplyReader} from '../wire/adapter.ts';
import {toAnthropicRequest} from './anthropic-request.ts';
import {createAnthropicReader} from './anthropic-stream.ts';

/** Keys, addresses and headers are never read from the environment. */
export function createAnthropicModel(given: AdapterOptions): Model {
  const model = anthropicModelId(given.model);
  // Users often write the address with /v1, as for OpenAI; the path below adds it.
  const baseURL = given.baseUrl.replace(/\/(?:v1\/?)?$/, '');
  const options = {...given, baseUrl: `${baseURL}/v1`};
  // The base client, without resources: these are three quarters of the SDK's code, and messages.create writes warnings about
  // older models to the console.
  const clientOf = sharedClient(async (client) => {
    const {BaseAnthropic} = await import('@anthropic-ai/sdk');
    const own = {baseURL, authToken: null, webhookKey: null, openTelemetry: false} as const;
    return new BaseAnthropic({...client, ...own});
  });
  const open = async ({client, request, tools, onDelta, paused}: OpenCall): Promise<OpenReply> => {
    const anthropic = await clientOf(client);
    const asked = paused ? continuing(request, paused, options.name) : request;
    const body = toAnthropicRequest(model, asked, tools);
    const events = await anthropic.post<AsyncIterable<unknown>>('/v1/messages', {
      body,
      stream: true,
      ...ownFetch(client),
    });
    return {events, reader: paused ?? createAnthropicReader(onDelta)};
  };
  const provider: Provider = {headers, demands: new Set(), open};
  return {
    name: options.name,
    call: (request, context) => callAdapter(options, request, context, provider),
  };
}

/** The provider continues a paused reply when its content is the last message. */
function continuing(request: ModelRequest, paused: ReplyReader, model: string): ModelRequest {
  const {text, opaque} = paused.reply();
  const message = replyMessage({
    text: text.toWellFormed(),
    calls: [],
    ...(opaque === undefined ? {} : {opaque: {model, parts: opaque}}),
  });
  return {...request, transcript: appendMessages(request.transcript, message)};
}

function headers(key: string): Readonly<Record<string, string>> {
  return {'x-api-key': key, 'anthropic-version': '2023-06-01'};
}
