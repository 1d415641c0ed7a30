/** Claude through Anthropic's SDK, which is imported at the first call. */

import type {Anthropic} from '@anthropic-ai/sdk';

import type {Model} from '../model.ts';
import {anthropicModelId} from '../prices.ts';
import {callAdapter, limitsOf, placeholderKey} from '../wire/adapter.ts';
import type {AdapterOptions} from '../wire/adapter.ts';
import {createGuardedFetch, sendFor} from '../wire/guarded-fetch.ts';
import {toAnthropicRequest} from './anthropic-request.ts';
import {createAnthropicReader} from './anthropic-stream.ts';

/** Nothing is read from the environment: no key, no address, no headers. */
export function createAnthropicModel(given: AdapterOptions): Model {
  const model = anthropicModelId(given.model);
  // People write the address as OpenAI's has it; the SDK adds /v1 itself.
  const root = given.baseUrl.replace(/\/(?:v1\/?)?$/, '');
  const options = {...given, baseUrl: `${root}/v1`};
  let connecting: Promise<Anthropic> | undefined;
  return {
    name: options.name,
    call: (request, context) =>
      callAdapter(options, request, context, async (guarded) => {
        connecting ??= createClient({...options, baseUrl: root});
        const client = await connecting;
        const body = toAnthropicRequest(model, request, context.tools);
        // Its messages.create writes to the console which models it holds for old.
        const message = await sendFor(guarded, () =>
          client.post('/v1/messages', {body, stream: true}).asResponse(),
        );
        return {message, reader: createAnthropicReader(guarded.onDelta)};
      }),
  };
}

async function createClient(options: AdapterOptions): Promise<Anthropic> {
  const {Anthropic} = await import('@anthropic-ai/sdk');
  const {baseUrl, apiKey} = options;
  const limits = limitsOf(options);
  const key = apiKey || placeholderKey;
  const headers = {'x-api-key': key, 'anthropic-version': '2023-06-01'};
  return new Anthropic({
    baseURL: baseUrl,
    apiKey: key,
    authToken: null,
    webhookKey: null,
    maxRetries: 0,
    timeout: limits.totalMs,
    logLevel: 'off',
    fetch: createGuardedFetch({headers, limits}),
  });
}
