/** Calls Claude with Anthropic's SDK, which is imported at the first call. */

import type {Model} from '../model.ts';
import {anthropicModelId} from '../prices.ts';
import {callAdapter} from '../wire/adapter.ts';
import type {AdapterOptions, OpenCall, OpenReply} from '../wire/adapter.ts';
import {toAnthropicRequest} from './anthropic-request.ts';
import {createAnthropicReader} from './anthropic-stream.ts';

/** Keys, addresses and headers are never read from the environment. */
export function createAnthropicModel(given: AdapterOptions): Model {
  const model = anthropicModelId(given.model);
  // Users often write the address with /v1, as for OpenAI; the path below adds it.
  const baseURL = given.baseUrl.replace(/\/(?:v1\/?)?$/, '');
  const options = {...given, baseUrl: `${baseURL}/v1`};
  const open = async ({client, request, tools, onDelta}: OpenCall): Promise<OpenReply> => {
    // The base client, without resources: these are three quarters of the SDK's code, and messages.create writes warnings about
    // older models to the console.
    const {BaseAnthropic} = await import('@anthropic-ai/sdk');
    const anthropic = new BaseAnthropic({
      ...client,
      baseURL,
      authToken: null,
      webhookKey: null,
      openTelemetry: false,
    });
    const body = toAnthropicRequest(model, request, tools);
    const events = await anthropic.post<AsyncIterable<unknown>>('/v1/messages', {
      body,
      stream: true,
    });
    return {events, reader: createAnthropicReader(onDelta)};
  };
  return {
    name: options.name,
    call: (request, context) => callAdapter(options, request, context, {headers, open}),
  };
}

function headers(key: string): Readonly<Record<string, string>> {
  return {'x-api-key': key, 'anthropic-version': '2023-06-01'};
}
