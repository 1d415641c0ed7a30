/** Ends of a Chat Completions stream that contradict earlier or later chunks. */

import {expect, test} from 'vitest';

import type {ModelOutcome} from '../../../../machines/domain/model.ts';
import {streams} from '../../../support/fault-server.ts';
import {callOver} from '../../../support/model-call.ts';
import {wires} from '../../../support/wires.ts';

interface Chunk {
  readonly delta?: object;
  readonly reason?: string;
}

async function outcomeOf(chunks: readonly Chunk[]): Promise<ModelOutcome> {
  const chat = wires.find(({path}) => path.endsWith('/chat/completions'));
  if (!chat) throw new Error('no wire');
  const lines = chunks.map(({delta = {}, reason = null}) => {
    const choices = [{index: 0, delta, finish_reason: reason}];
    return `data: ${JSON.stringify({object: 'chat.completion.chunk', choices})}\n\n`;
  });
  const {outcome} = await callOver(chat, streams(`${lines.join('')}data: [DONE]\n\n`));
  return outcome;
}

function piece(text: string, id?: string): Chunk {
  const call = {index: 0, ...(id && {id}), function: {...(id && {name: 'vote'}), arguments: text}};
  return {delta: {tool_calls: [call]}};
}

test('a call that continues after the end is a failure', async () => {
  const begun = piece('{"verdict":"appro', 'c1');
  const outcome = await outcomeOf([begun, {reason: 'tool_calls'}, piece('ve"}')]);
  expect(outcome).toMatchObject({
    kind: 'protocol',
    message: expect.stringContaining('a tool call after the end'),
  });
});

test('text after the end is not part of the reply', async () => {
  const chunks = [{delta: {content: 'I reject'}, reason: 'stop'}, {delta: {content: ' nothing'}}];
  expect(await outcomeOf(chunks)).toMatchObject({kind: 'ok', text: 'I reject'});
});

test('a truncated reply stays truncated when calls are announced afterwards', async () => {
  const chunks = [piece('{}', 'c1'), {reason: 'length'}, {reason: 'tool_calls'}];
  expect(await outcomeOf(chunks)).toMatchObject({kind: 'truncated'});
});

test('a refusal next to a call makes the reply a refusal', async () => {
  const refusal = {delta: {refusal: 'I will not vote.'}};
  const chunks = [refusal, piece('{}', 'c1'), {reason: 'tool_calls'}];
  expect(await outcomeOf(chunks)).toMatchObject({kind: 'refused'});
});

test('a call whose last piece is in the ending chunk is complete', async () => {
  const last = {...piece('"reject"}'), reason: 'tool_calls'};
  expect(await outcomeOf([piece('{"verdict":', 'c1'), last])).toMatchObject({
    kind: 'ok',
    calls: [{name: 'vote', args: {verdict: 'reject'}}],
  });
});
