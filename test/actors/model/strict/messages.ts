/** Messages with thinking and Responses with encrypted reasoning, as Anthropic and OpenAI stream and check them. */

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
  unknownMember,
} from './server.ts';

const anthropicError = (message: string): object => ({
  type: 'error',
  error: {type: 'invalid_request_error', message},
});

function thoughts({seal}: Issued): readonly [object, object] {
  return [
    {type: 'thinking', thinking: 'I should look.', signature: seal},
    {type: 'redacted_thinking', data: seal},
  ];
}

/** Thinking comes before the text, and again before the calls. */
function messageContent(reply: Issued): readonly object[] {
  const [thought, redacted] = thoughts(reply);
  const {text, calls} = reply;
  return [
    thought,
    ...(text === '' ? [] : [{type: 'text', text}]),
    redacted,
    ...calls.map(({id, name, args}) => ({
      type: 'tool_use',
      id,
      name,
      input: record(JSON.parse(args)),
    })),
  ];
}

function messages(name: string, isUnforced: boolean): Dialect {
  return {
    name,
    api: 'messages',
    error: anthropicError,
    refuse: (body, issued) => refuseMessages(body, issued, isUnforced),
    stream: (reply) =>
      sse(
        {type: 'message_start', message: {id: 'm', role: 'assistant', usage: {input_tokens: 10}}},
        ...messageContent(reply).flatMap((block, index) => blockEvents(record(block), index)),
        {
          type: 'message_delta',
          delta: {stop_reason: reply.calls.length > 0 ? 'tool_use' : 'end_turn'},
          usage: {output_tokens: 5},
        },
        {type: 'message_stop'},
      ),
  };
}

function blockEvents(block: Data, index: number): readonly object[] {
  const start = (content: object): object => ({
    type: 'content_block_start',
    index,
    content_block: content,
  });
  const delta = (given: object): object => ({type: 'content_block_delta', index, delta: given});
  const stop = {type: 'content_block_stop', index};
  switch (block['type']) {
    case 'text':
      return [
        start({type: 'text', text: ''}),
        ...pieces(textOf(block['text'])).map((text) => delta({type: 'text_delta', text})),
        stop,
      ];
    case 'tool_use':
      return [
        start({...block, input: {}}),
        ...pieces(JSON.stringify(block['input'])).map((partial_json) =>
          delta({type: 'input_json_delta', partial_json}),
        ),
        stop,
      ];
    case 'thinking':
      return [
        start({type: 'thinking', thinking: '', signature: ''}),
        ...pieces(textOf(block['thinking'])).map((thinking) =>
          delta({type: 'thinking_delta', thinking}),
        ),
        delta({type: 'signature_delta', signature: block['signature']}),
        stop,
      ];
    default:
      return [start(block), stop];
  }
}

function refuseMessages(
  body: Data,
  issued: ReadonlyMap<string, Issued>,
  isUnforced: boolean,
): string | undefined {
  const unknown = unknownMember(body, 'model max_tokens messages stream system tools tool_choice');
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (isUnforced && record(body['tool_choice'])['type'] === 'any')
    return 'tool_choice forces tool use is not compatible with this model.';
  const marks = JSON.stringify(body).split('"cache_control"').length - 1;
  if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
  const all = list(body['messages']);
  return firstOf(
    pairProblem(all),
    ...all.map(({role, content}, at) =>
      firstOf(
        role !== (at % 2 === 0 ? 'user' : 'assistant') &&
          `messages.${at}: roles must alternate between "user" and "assistant"`,
        ...list(content).map((block) => blockProblem(block, at)),
        role === 'assistant' && contentProblem(list(content), issued, at),
      ),
    ),
  );
}

/** Each call has one result, in the next message. */
function pairProblem(all: readonly Data[]): string | undefined {
  return firstOf(
    ...all.flatMap((message, at) => {
      const calls = idsIn(all[at - 1], 'tool_use', 'id');
      const results = idsIn(message, 'tool_result', 'tool_use_id');
      return [
        calls.some((id) => !results.includes(id)) &&
          `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${calls.join()}`,
        results.some((id) => !calls.includes(id)) &&
          `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${results.join()}`,
      ];
    }),
  );
}

function idsIn(message: Data | undefined, type: string, name: string): readonly string[] {
  const blocks = list(message?.['content']).filter((block) => block['type'] === type);
  return blocks.map((block) => textOf(block[name]));
}

function blockProblem(block: Data, at: number): string | undefined {
  const {type, text, cache_control: mark} = block;
  if (type === 'text' && textOf(text).trim() === '')
    return `messages.${at}: text content blocks must contain non-whitespace text`;
  return mark !== undefined && /thinking/.test(textOf(type))
    ? `messages.${at}: cache_control cannot be set on ${textOf(type)} blocks`
    : undefined;
}

function withoutMark(block: Data): Data {
  return Object.fromEntries(Object.entries(block).filter(([name]) => name !== 'cache_control'));
}

function contentProblem(
  content: readonly Data[],
  issued: ReadonlyMap<string, Issued>,
  at: number,
): string | undefined {
  const made = issued.get(textOf(content.find(({type}) => type === 'tool_use')?.['id']));
  if (!made) {
    const isForged = content.some(({type}) => /thinking/.test(textOf(type)));
    return isForged ? `messages.${at}: Invalid \`signature\` in \`thinking\` block` : undefined;
  }
  const unmarked = content.map((block) => withoutMark(block));
  if (isDeepStrictEqual(unmarked, messageContent(made))) return undefined;
  return `messages.${at}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
}

export const messageDialects: readonly Dialect[] = [
  messages('anthropic', false),
  messages('anthropic, forced tool use refused', true),
];

function reasoningItem({seal}: Issued): object {
  return {id: `rs_${seal}`, type: 'reasoning', summary: [], encrypted_content: seal};
}

function done(item: object): object {
  return {type: 'response.output_item.done', item};
}

function inputItems(reply: Issued): readonly object[] {
  const {text, calls} = reply;
  return [
    reasoningItem(reply),
    ...(text === '' ? [] : [{role: 'assistant', content: text}]),
    ...calls.map(({id, name, args}) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: args,
    })),
  ];
}

export const responsesDialect: Dialect = {
  name: 'responses',
  api: 'responses',
  refuse: (body, issued) => {
    const known =
      'model instructions input max_output_tokens store stream include tools tool_choice';
    const unknown = unknownMember(body, known);
    if (unknown !== undefined) return `Unknown parameter: '${unknown}'.`;
    const {store, include} = body;
    if (store !== false || !isDeepStrictEqual(include, ['reasoning.encrypted_content']))
      return 'this organization keeps no data: send store false, and include the encrypted reasoning';
    const items = list(body['input']);
    const calls = items.flatMap(({type, call_id: id}) =>
      type === 'function_call' ? [textOf(id)] : [],
    );
    const outputs = items.flatMap(({type, call_id: id}) =>
      type === 'function_call_output' ? [textOf(id)] : [],
    );
    const orphan = outputs.find((id) => !calls.includes(id));
    if (orphan !== undefined)
      return `No tool call found for function call output with call_id ${orphan}.`;
    const open = calls.find((id) => !outputs.includes(id));
    if (open !== undefined) return `No tool output found for function call ${open}.`;
    return firstOf(
      ...items.map(({call_id: id}, at) => {
        const made = issued.get(textOf(id));
        if (!made || items[at]?.['type'] !== 'function_call') return undefined;
        const expected = inputItems(made);
        const from = at - expected.findIndex((each) => 'call_id' in each);
        return isDeepStrictEqual(items.slice(from, from + expected.length), expected)
          ? undefined
          : `Item 'fc_${textOf(id)}' of type 'function_call' was provided without its required 'reasoning' item: 'rs_${made.seal}'.`;
      }),
    );
  },
  stream: (reply) => {
    const {text, calls} = reply;
    return sse(
      {type: 'response.created', response: {id: 'r', status: 'in_progress', output: []}},
      done(reasoningItem(reply)),
      ...pieces(text).map((delta) => ({type: 'response.output_text.delta', delta})),
      ...(text === '' ? [] : [done({type: 'message', role: 'assistant', content: []})]),
      ...calls.map(({id, name, args}) =>
        done({id: `fc_${id}`, type: 'function_call', call_id: id, name, arguments: args}),
      ),
      {
        type: 'response.completed',
        response: {id: 'r', status: 'completed', usage: {input_tokens: 10, output_tokens: 5}},
      },
    );
  },
};
