/** Reads a Chat Completions stream: chunks of one choice, a finish reason, usage. The SDK ends it at `[DONE]`. */

import {z} from 'zod';

import {malformed} from '../wire/adapter.ts';
import type {ReplyReader} from '../wire/adapter.ts';
import {readStop} from '../wire/reply.ts';
import type {CallDraft, Stop} from '../wire/reply.ts';
import type {TokenCounts} from '../wire/usage.ts';

const textSchema = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const callSchema = z.looseObject({
  index: z.int().min(0).nullish(),
  id: textSchema,
  function: z.looseObject({name: textSchema, arguments: textSchema}).prefault({}),
});

const choiceSchema = z.looseObject({
  index: z.number().nullish(),
  delta: z
    .looseObject({
      content: z.string().nullish(),
      refusal: z.string().nullish(),
      reasoning: z.string().nullish(),
      reasoning_content: z.string().nullish(),
      tool_calls: z.array(callSchema).nullish(),
    })
    .nullish(),
  finish_reason: z.string().nullish(),
});

const usageSchema = z.looseObject({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.looseObject({cached_tokens: z.number().nullish()}).nullish(),
});

const chunkSchema = z.looseObject({
  choices: z.array(choiceSchema),
  usage: z.unknown().optional(),
});

type Choice = z.infer<typeof choiceSchema>;
type Call = z.infer<typeof callSchema>;

/** Throws GuardError for a malformed chunk. */
export function createOpenAiReader(onDelta: (text: string) => void): ReplyReader {
  const drafts = new Map<number, CallDraft>();
  let text = '';
  let refusal = '';
  let stop: Stop | undefined;
  let counts: TokenCounts | undefined;

  const addText = (piece: string | null | undefined): boolean => {
    if (!piece) return false;
    text += piece;
    onDelta(piece);
    return true;
  };
  const addCalls = (calls: readonly Call[]): boolean => {
    if (stop !== undefined && calls.length > 0) throw malformed('a tool call after the end');
    return calls.map((call) => addCall(drafts, call)).includes(true);
  };
  const addChoice = ({delta: given, finish_reason: reason}: Choice): boolean => {
    const delta = given ?? {};
    refusal += delta.refusal ?? '';
    const isOver = stop !== undefined;
    const called = addCalls(delta.tool_calls ?? []);
    // A truncated reply stays truncated: later finish reasons are ignored.
    if (stop !== 'truncated') stop = readStop(reason, stops) ?? stop;
    const said = !isOver && addText(delta.content);
    return said || called || Boolean(reason) || hasThought(delta);
  };

  return {
    take: (value) => {
      const chunk = parseChunk(value);
      if (!chunk) return false;
      counts = toCounts(chunk.usage) ?? counts;
      // The request asks for only one choice.
      const choice = chunk.choices.find(({index}) => (index ?? 0) === 0);
      return choice !== undefined && addChoice(choice);
    },
    hasEnded: () => false,
    reply: () => ({
      text,
      drafts: [...drafts.values()],
      stop: refusal !== '' && (stop === 'answered' || stop === 'calls') ? 'refused' : stop,
      counts,
    }),
  };
}

/** Returns true if the piece added a call or arguments. */
function addCall(drafts: Map<number, CallDraft>, {index, id, function: piece}: Call): boolean {
  const at = index ?? findIndex(drafts, id);
  const known = drafts.get(at);
  const draft = known ?? {id, name: '', args: ''};
  if (id !== '' && id !== draft.id) throw malformed(`tool call ${at} has two ids`);
  draft.name += piece.name;
  draft.args += piece.arguments;
  drafts.set(at, draft);
  return known === undefined || piece.arguments !== '';
}

/** For servers that send no index: a piece with an id starts a new call, a piece without one continues the last call. */
function findIndex(drafts: ReadonlyMap<number, CallDraft>, id: string): number {
  return id !== '' || drafts.size === 0 ? drafts.size : drafts.size - 1;
}

/** Ignores events of other types, which are objects without `choices`. */
function parseChunk(value: unknown): z.infer<typeof chunkSchema> | undefined {
  const parsed = chunkSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const isOther = z.looseObject({choices: z.undefined().optional()}).safeParse(value).success;
  if (isOther) return undefined;
  throw malformed('not a chunk of a chat completion');
}

function hasThought(delta: Choice['delta']): boolean {
  return Boolean(delta?.reasoning || delta?.reasoning_content || delta?.refusal);
}

const stops: Readonly<Record<string, Stop>> = {
  stop: 'answered',
  tool_calls: 'calls',
  length: 'truncated',
  content_filter: 'refused',
};

function toCounts(value: unknown): TokenCounts | undefined {
  const usage = usageSchema.safeParse(value).data;
  if (!usage) return undefined;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {input: usage.prompt_tokens, cached, output: usage.completion_tokens};
}
