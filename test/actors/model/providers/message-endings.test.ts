/** Ends of a Messages stream that contradict earlier or later events. */

import {expect, test} from 'vitest';

import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {streams} from '../../../support/fault-server.ts';
import {callOver} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

async function outcomeOf(events: readonly StreamEvent[]): Promise<ModelOutcome> {
  const messages = wires.find(({path}) => path.endsWith('/messages'));
  if (!messages) throw new Error('no wire');
  const all = [{type: 'message_start', message: {}}, ...events, {type: 'message_stop'}];
  const text = all.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('');
  const {outcome} = await callOver(messages, streams(text));
  return outcome;
}

function stop(reason: string): StreamEvent {
  return {type: 'message_delta', delta: {stop_reason: reason}};
}

function start(index: number, block: object): StreamEvent {
  return {type: 'content_block_start', index, content_block: block};
}

function piece(index: number, delta: object): StreamEvent {
  return {type: 'content_block_delta', index, delta};
}

const vote = start(0, {type: 'tool_use', id: 'c1', name: 'vote'});
const args = (text: string): StreamEvent =>
  piece(0, {type: 'input_json_delta', partial_json: text});
const said = [start(0, {type: 'text', text: ''}), piece(0, {type: 'text_delta', text: 'I reject'})];

test.each([
  ['continues', [vote, args('{"verdict":"appro'), stop('tool_use'), args('ve"}')]],
  ['begins', [...said, stop('end_turn'), start(1, {type: 'tool_use', id: 'c2', name: 'vote'})]],
])('a call that %s after the end is a failure', async (_, events) => {
  expect(await outcomeOf(events)).toMatchObject({
    kind: 'protocol',
    message: expect.stringContaining('a tool call after the end'),
  });
});

test.each([
  ['in the same block', [piece(0, {type: 'text_delta', text: ' nothing'})]],
  ['in another block', [start(1, {type: 'text', text: ' nothing'})]],
])('text after the end, %s, is not part of the reply', async (_, after) => {
  const outcome = await outcomeOf([...said, stop('end_turn'), ...after]);
  expect(outcome).toMatchObject({kind: 'ok', text: 'I reject'});
});

test('a truncated reply stays truncated when calls are announced afterwards', async () => {
  const outcome = await outcomeOf([vote, args('{}'), stop('max_tokens'), stop('tool_use')]);
  expect(outcome).toMatchObject({kind: 'truncated'});
});
