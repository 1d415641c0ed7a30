/** Responses with encrypted reasoning, as OpenAI streams and checks them. */

import {isDeepStrictEqual} from 'node:util';

import {
  type Dialect,
  firstOf,
  type Issued,
  list,
  pieces,
  sse,
  textOf,
  unknownMember,
} from './server.ts';

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
