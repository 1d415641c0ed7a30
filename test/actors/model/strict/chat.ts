/** Chat Completions as different servers stream and check them. */

import {isDeepStrictEqual} from 'node:util';

import {
  type Data,
  type Dialect,
  firstOf,
  type Issued,
  list,
  pieces,
  record,
  sse,
  textOf,
  type StrictCall,
  unknownMember,
} from './server.ts';

interface ChatDialect {
  readonly name: string;
  /** Members of a message and of a call that the provider adds. */
  readonly own?: string;
  readonly ownOfCall?: string;
  readonly deltas: (reply: Issued) => readonly object[];
  readonly end: (reply: Issued) => string;
  /** The problem with the state of an assistant message. `made`: as this server made it. */
  readonly state?: (message: Data, made: Issued | undefined) => string | undefined;
  readonly isUnforced?: boolean;
  readonly error?: (message: string) => object;
}

function chat({deltas, end, error, ...checked}: ChatDialect): Dialect {
  return {
    name: checked.name,
    api: 'chat',
    ...(error && {error}),
    refuse: (body, issued) => refuseChat(body, issued, checked),
    stream: (reply) => {
      const usage = {prompt_tokens: 10, completion_tokens: 5, total_tokens: 15};
      const chunks = deltas(reply).map((delta) => chunk(delta));
      return `: processing\n\n${sse(...chunks, chunk({}, end(reply), {usage}))}data: [DONE]\n\n`;
    },
  };
}

function chunk(delta: object, reason: string | null = null, rest: object = {}): object {
  const choices = [{index: 0, delta, finish_reason: reason}];
  return {id: 'c', object: 'chat.completion.chunk', choices, ...rest};
}

type Checked = Omit<ChatDialect, 'deltas' | 'end'>;

function refuseChat(
  body: Data,
  issued: ReadonlyMap<string, Issued>,
  checked: Checked,
): string | undefined {
  const known = 'model messages max_tokens stream stream_options tools tool_choice';
  const unknown = unknownMember(body, known);
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
  if (checked.isUnforced === true && body['tool_choice'] === 'required')
    return 'tool_choice: only "auto" and "none" are supported by this model';
  const messages = list(body['messages']);
  return firstOf(
    pairProblem(messages),
    ...messages.map((message, at) => messageProblem(message, at, issued, checked)),
  );
}

/** Each call has one result, directly after its message. */
function pairProblem(messages: readonly Data[]): string | undefined {
  let open: string[] = [];
  for (const {role, tool_call_id: id, tool_calls: calls} of messages) {
    if (role === 'tool' && !open.includes(textOf(id)))
      return "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
    if (role !== 'tool' && open.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (${open.join()})`;
    open =
      role === 'tool'
        ? open.filter((each) => each !== id)
        : list(calls).map((call) => textOf(call['id']));
  }
  return open.length > 0 ? `No tool messages for ${open.join()}` : undefined;
}

function messageProblem(
  message: Data,
  at: number,
  issued: ReadonlyMap<string, Issued>,
  {own = '', ownOfCall = '', state}: Checked,
): string | undefined {
  const {role, content} = message;
  const calls = list(message['tool_calls']);
  const isEmpty = content === null ? calls.length === 0 : textOf(content).trim() === '';
  const made = issued.get(textOf(calls[0]?.['id']));
  return firstOf(
    isEmpty && `Invalid value for 'content' of messages[${at}]`,
    memberProblem(message, role === 'assistant' ? `tool_calls ${own}` : 'tool_call_id', at),
    ...calls.map((call) => callProblem(call, ownOfCall, at)),
    role === 'assistant' && state?.(message, made),
  );
}

function memberProblem(value: Data, known: string, at: number): string | undefined {
  const unknown = unknownMember(value, `role content ${known}`);
  return unknown === undefined ? undefined : `Unknown parameter: 'messages[${at}].${unknown}'.`;
}

function callProblem(call: Data, own: string, at: number): string | undefined {
  const unknown = unknownMember(call, `id type function ${own}`);
  if (unknown !== undefined) return `Unknown parameter: 'messages[${at}].tool_calls.${unknown}'.`;
  try {
    JSON.parse(String(record(call['function'])['arguments']));
    return undefined;
  } catch {
    return `Invalid 'messages[${at}].tool_calls': arguments are not JSON`;
  }
}

function functionCall({id, name, args}: StrictCall, index: number, own: object = {}): object {
  return {index, id, type: 'function', function: {name, arguments: args}, ...own};
}

/** The name first, then the arguments in pieces. */
function piecewise(calls: readonly StrictCall[]): readonly object[] {
  return calls.flatMap((call, index) => [
    {tool_calls: [functionCall({...call, args: ''}, index)]},
    ...pieces(call.args).map((piece) => ({tool_calls: [{index, function: {arguments: piece}}]})),
  ]);
}

function contents(text: string): readonly object[] {
  return pieces(text).map((content) => ({content}));
}

const callsOrStop = ({calls}: Issued): string => (calls.length > 0 ? 'tool_calls' : 'stop');

const signed = ({seal}: Issued): object => ({google: {thought_signature: seal}});

const gemini = chat({
  name: 'gemini',
  own: 'extra_content',
  ownOfCall: 'extra_content',
  // All calls have the index 0, only the first has a signature, and the reason is `stop`.
  deltas: (reply) => [
    ...contents(reply.text),
    ...(reply.calls.length === 0 ? [{content: '', extra_content: signed(reply)}] : []),
    ...reply.calls.map((call, index) => ({
      tool_calls: [functionCall(call, 0, index === 0 ? {extra_content: signed(reply)} : {})],
    })),
  ],
  end: () => 'stop',
  state: (message, made) => {
    const [first, ...rest] = list(message['tool_calls']);
    if (!first) return undefined;
    const google = record(record(first['extra_content'])['google']);
    const {thought_signature: signature} = google;
    const {name} = record(first['function']);
    if (signature === undefined)
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${String(name)}\`, position 1.`;
    const isKnown = made?.seal === signature || signature === 'skip_thought_signature_validator';
    return !isKnown || rest.some((call) => 'extra_content' in call)
      ? 'Corrupted thought signature.'
      : undefined;
  },
});

const reasoned = ({seal, text, calls}: Issued): readonly object[] => [
  {role: 'assistant', content: null, reasoning_content: ''},
  ...pieces(seal).map((piece) => ({content: null, reasoning_content: piece})),
  ...contents(text),
  ...piecewise(calls),
];

const deepseek = chat({
  name: 'deepseek',
  own: 'reasoning_content',
  deltas: reasoned,
  end: callsOrStop,
  state: (message, made) => {
    const reasoning = message['reasoning_content'];
    // It cannot know its own reasoning: any is accepted, but for an altered one.
    const isBack = reasoning === ' ' || (made ? reasoning === made.seal : textOf(reasoning) !== '');
    return isBack
      ? undefined
      : 'The `reasoning_content` in the thinking mode must be passed back to the API.';
  },
});

const openrouter = chat({
  name: 'openrouter',
  own: 'reasoning_details',
  deltas: ({seal, text, calls}) => [
    ...pieces('I should look.').map((piece) => ({
      content: '',
      reasoning: piece,
      reasoning_details: [{type: 'reasoning.text', text: piece, format: 'anthropic', index: 0}],
    })),
    {reasoning_details: [{type: 'reasoning.text', signature: seal, index: 0}]},
    {reasoning_details: [{type: 'reasoning.encrypted', data: seal, id: `rs_${seal}`, index: 1}]},
    ...contents(text),
    ...piecewise(calls),
  ],
  end: callsOrStop,
  state: ({reasoning_details: details}, made) => {
    if (!made) return undefined;
    const {seal} = made;
    const whole = [
      {
        type: 'reasoning.text',
        text: 'I should look.',
        format: 'anthropic',
        index: 0,
        signature: seal,
      },
      {type: 'reasoning.encrypted', data: seal, id: `rs_${seal}`, index: 1},
    ];
    return isDeepStrictEqual(details, whole)
      ? undefined
      : 'Invalid `signature` in `thinking` block';
  },
  error: (raw) => ({error: {message: 'Provider returned error', code: 400, metadata: {raw}}}),
});

const ollama = chat({
  name: 'ollama',
  deltas: ({text, calls}) => [
    {role: 'assistant', content: '', reasoning: 'I look.'},
    ...contents(text),
    ...calls.map((call) => ({role: 'assistant', content: '', tool_calls: [functionCall(call, 0)]})),
  ],
  end: () => 'stop',
});

const llamacpp = chat({
  name: 'llamacpp',
  own: 'reasoning_content',
  deltas: reasoned,
  end: callsOrStop,
  state: ({reasoning_content: reasoning}, made) =>
    reasoning === made?.seal ? undefined : 'reasoning_content is not that of the reply',
});

const plain = {
  deltas: ({text, calls}: Issued) => [
    {role: 'assistant', content: ''},
    ...contents(text),
    ...piecewise(calls),
  ],
  end: callsOrStop,
};

export const chatDialects: readonly Dialect[] = [
  chat({name: 'openai', ...plain}),
  gemini,
  deepseek,
  openrouter,
  ollama,
  llamacpp,
  chat({name: 'unforced', isUnforced: true, ...plain}),
];
