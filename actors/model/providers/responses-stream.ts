/** Reads a stream of OpenAI's Responses: text deltas, finished items, and one closing event with the usage. */

import {z} from 'zod';

import {asJson, isJsonObject, type JsonObject} from '../../../machines/domain/json.ts';
import {malformed} from '../wire/adapter.ts';
import type {ReplyReader} from '../wire/adapter.ts';
import {ProviderError} from '../wire/faults.ts';
import {readStop} from '../wire/reply.ts';
import type {CallDraft, Stop} from '../wire/reply.ts';
import type {TokenCounts} from '../wire/usage.ts';
import type {Layout} from './turns.ts';

const itemSchema = z.looseObject({
  type: z.string(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  encrypted_content: z.string().nullish(),
});

const usageSchema = z.looseObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_tokens_details: z.looseObject({cached_tokens: z.number().nullish()}).nullish(),
});

const responseSchema = z.looseObject({
  usage: z.unknown().optional(),
  incomplete_details: z.looseObject({reason: z.string().nullish()}).nullish(),
  error: z.looseObject({code: z.string().nullish(), message: z.string().nullish()}).nullish(),
});

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({type: z.literal('response.output_text.delta'), delta: z.string()}),
  z.looseObject({type: z.literal('response.refusal.delta'), delta: z.string()}),
  z.looseObject({type: z.literal('response.output_item.done'), item: itemSchema}),
  z.looseObject({type: z.literal('response.completed'), response: responseSchema}),
  z.looseObject({type: z.literal('response.incomplete'), response: responseSchema}),
  z.looseObject({type: z.literal('response.failed'), response: responseSchema}),
]);

type StreamEvent = z.infer<typeof eventSchema>;
type Final = z.infer<typeof responseSchema>;
type Item = z.infer<typeof itemSchema>;

const known: ReadonlySet<string> = new Set(eventSchema.options.map((o) => o.shape.type.value));

/** Events that count as progress but are not read: their finished items have the complete content. */
const onTheWay: ReadonlySet<string> = new Set([
  'response.created',
  'response.output_item.added',
  'response.content_part.added',
  'response.function_call_arguments.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
]);

/** Throws GuardError for a malformed event, ProviderError for a failure that the provider reports. */
export function createResponsesReader(onDelta: (text: string) => void): ReplyReader {
  const drafts: CallDraft[] = [];
  const layout: (JsonObject | number | null)[] = [];
  let text = '';
  let laidOut = 0;
  let refused = false;
  let stop: Stop | undefined;
  let counts: TokenCounts | undefined;

  const layOutText = (): void => {
    if (text.length > laidOut) layout.push(text.length - laidOut);
    laidOut = text.length;
  };
  const addItem = (item: Item): void => {
    layOutText();
    if (item.type === 'function_call') {
      drafts.push({id: item.call_id ?? '', name: item.name ?? '', args: item.arguments ?? ''});
      layout.push(null);
    }
    // Without its encrypted content, the provider would look for the item in its store.
    if (item.type === 'reasoning' && item.encrypted_content) layout.push(asJson(item));
  };
  const apply = (event: StreamEvent): void => {
    switch (event.type) {
      case 'response.output_text.delta':
        text += event.delta;
        if (event.delta !== '') onDelta(event.delta);
        break;
      case 'response.refusal.delta':
        refused = true;
        break;
      case 'response.output_item.done':
        addItem(event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        counts = toCounts(event.response.usage);
        stop = toStop(event.type, event.response);
        if (stop === 'answered') stop = stopReason(refused, drafts);
    }
  };

  return {
    take: (value) => {
      const type = z.looseObject({type: z.string()}).safeParse(value).data?.type;
      if (type === undefined) throw malformed('not an object with a type');
      if (!known.has(type)) return onTheWay.has(type);
      const event = eventSchema.safeParse(value).data;
      if (!event) throw malformed(type.slice(0, 80));
      apply(event);
      return true;
    },
    hasEnded: () => stop !== undefined,
    reply: () => ({text, drafts, stop, counts, opaque: opaqueIn(layout, text.length - laidOut)}),
  };
}

/** `rest`: the length of the text after the last item. */
function opaqueIn(layout: Layout, rest: number): Layout | undefined {
  if (!layout.some(isJsonObject)) return undefined;
  return rest > 0 ? [...layout, rest] : layout;
}

/** Responses have no stop reason for tool calls: a complete response that contains calls ended for them. */
function stopReason(refused: boolean, drafts: readonly CallDraft[]): Stop {
  if (refused) return 'refused';
  return drafts.length > 0 ? 'calls' : 'answered';
}

const incomplete: Readonly<Record<string, Stop>> = {
  max_output_tokens: 'truncated',
  content_filter: 'refused',
};

function toStop(type: StreamEvent['type'], {incomplete_details: details, error}: Final): Stop {
  if (type === 'response.completed') return 'answered';
  if (type === 'response.incomplete') {
    return readStop(details?.reason, incomplete) ?? {unknown: 'incomplete'};
  }
  throw new ProviderError(error?.code ?? 'unknown', error?.message ?? 'the response failed');
}

function toCounts(value: unknown): TokenCounts | undefined {
  const usage = usageSchema.safeParse(value).data;
  if (!usage) return undefined;
  const cached = usage.input_tokens_details?.cached_tokens ?? 0;
  return {input: usage.input_tokens, cached, output: usage.output_tokens};
}
