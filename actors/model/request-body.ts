/** The body of a request to a provider as its adapter sends it, without the opaque state of replies. Nothing is sent. */

import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import {withoutOpaque} from '../../machines/prompts/transcript.ts';
import type {OfferedTool} from './model.ts';
import type {Provider} from './providers.ts';
import {sentTokens} from './reply-limit.ts';

/** `model`: as the provider names it. Keys and addresses are not part of a body. */
export async function requestBody(
  provider: Provider,
  model: string,
  given: ModelRequest,
  tools: readonly OfferedTool[],
): Promise<JsonObject> {
  const {name, kind, speaksResponses, asksUsage} = provider;
  const maxOutputTokens = sentTokens(given, `${name}/${model}`, provider);
  const transcript = {messages: given.transcript.messages.map(withoutOpaque)};
  const request = {...given, transcript, maxOutputTokens};
  if (kind === 'anthropic') {
    const {toAnthropicRequest} = await import('./providers/anthropic-request.ts');
    return asJson(toAnthropicRequest(model, request, tools));
  }
  if (speaksResponses) {
    const {toResponsesRequest} = await import('./providers/responses-request.ts');
    return asJson(toResponsesRequest(model, request, tools));
  }
  const {toOpenAiRequest} = await import('./providers/openai-request.ts');
  return asJson(toOpenAiRequest(model, request, tools, {asksUsage}));
}
