/**
 * Demands that a provider states only by refusing a request. The request is sent again as demanded, and the demand is remembered
 * for the model, so that no list of models decides.
 */

import type {ModelRequest} from '../../../machines/domain/model.ts';
import {withoutOpaque} from '../../../machines/prompts/transcript.ts';
import {fieldsOf, messageOf} from './fault-text.ts';

export type Demand =
  /** No forced tool call. The call is then optional, and the caller checks the reply. */
  | 'unforced'
  /** A signature on the first call of each message. */
  | 'signed'
  /** Reasoning in each reply. */
  | 'reasoned'
  /** No opaque state, because the provider cannot read what it returned itself. Not remembered: it holds for one conversation. */
  | 'stateless';

/** Before the others, because an unreadable signature is not a missing one. */
const unreadable =
  /(?:invalid|corrupted)[^.]{0,30}signature|encrypted.content|thinking\W+blocks[^.]{0,60}cannot be modified/i;

const statements: readonly (readonly [RegExp, Demand])[] = [
  [/tool[ _]choice/i, 'unforced'],
  [unreadable, 'stateless'],
  [/thought.?signature/i, 'signed'],
  [/reasoning.content/i, 'reasoned'],
];

const refusals: ReadonlySet<unknown> = new Set([400, 404, 422]);
const maxLength = 20_000;

/** The demand in an SDK's error, unless the request obeyed it already or it concerns nothing in the request. */
export function demandIn(
  error: unknown,
  request: ModelRequest,
  obeyed: ReadonlySet<Demand>,
): Demand | undefined {
  const {status, error: body = ''} = fieldsOf(error);
  if (!refusals.has(status)) return undefined;
  // OpenRouter quotes the error of the provider behind it in a member beside its own message.
  const text = `${messageOf(error)} ${JSON.stringify(body)}`.slice(0, maxLength);
  const demand = statements.find(([pattern]) => pattern.test(text))?.[1];
  return demand !== undefined && !obeyed.has(demand) && concerns[demand](request)
    ? demand
    : undefined;
}

const hasReply = ({transcript}: ModelRequest): boolean =>
  transcript.messages.some(({role}) => role === 'assistant');

const concerns: Readonly<Record<Demand, (request: ModelRequest) => boolean>> = {
  unforced: ({toolChoice}) => toolChoice === 'required',
  signed: hasReply,
  reasoned: hasReply,
  stateless: ({transcript}) => transcript.messages.some((message) => 'opaque' in message),
};

/** The request for the model of this full name: without the opaque state of other models. */
export function obeying(
  request: ModelRequest,
  name: string,
  demands: ReadonlySet<Demand>,
): ModelRequest {
  const {toolChoice, transcript} = request;
  const messages = transcript.messages.map((message) => {
    const isOwn = message.role === 'assistant' && message.opaque?.model === name;
    return isOwn && !demands.has('stateless') ? message : withoutOpaque(message);
  });
  const isUnforced = toolChoice === 'required' && demands.has('unforced');
  return {...request, toolChoice: isUnforced ? 'auto' : toolChoice, transcript: {messages}};
}
