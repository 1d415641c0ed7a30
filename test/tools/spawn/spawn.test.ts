/** The spawn tools: their texts for models and reviewers. The tools themselves start nothing. */

import {expect, test} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import {createToolbox, spawnTools} from '../../../tools/index.ts';
import {createPlace} from '../place.ts';

const toolbox = createToolbox(spawnTools);

function valid(args: JsonObject) {
  return toolbox.validate('spawn_ask', args);
}

test('each states the form that it starts, the vote on it, and that its result is a report without quotations', () => {
  const shared = {risk: 'high', reaches: 'workspace', quotes: false, summary: '{request}'};
  expect(toolbox.infos()).toMatchObject([
    {...shared, name: 'spawn_agent', spawns: 'agent'},
    {...shared, name: 'spawn_ask', spawns: 'ask'},
    {...shared, name: 'spawn_discuss', spawns: 'discuss'},
    {...shared, name: 'spawn_interview', spawns: 'interview'},
  ]);
});

test('a request is required; the context mode and waiting are optional', () => {
  expect(valid({request: ' how deep? '})).toEqual({ok: true, args: {request: 'how deep?'}});
  const all = {request: 'how deep?', context_mode: 'fresh', wait: false};
  expect(valid(all)).toEqual({ok: true, args: all});
  expect(valid({request: 'how deep?', context_mode: null, wait: null})).toMatchObject({ok: true});
  expect(valid({request: ' '})).toMatchObject({ok: false});
  expect(valid({request: 'x', context_mode: 'whole'})).toMatchObject({
    message: expect.stringContaining('context_mode'),
  });
  expect(valid({question: 'how deep?'})).toMatchObject({
    message: expect.stringContaining('question'),
  });
});

test('reviewers read what would be started, its context, its permissions, and whether its parent waits', async () => {
  const place = createPlace(toolbox);
  const shown = async (tool: string, args: Parameters<typeof place.preview>[1]) => {
    const preview = await place.preview(tool, args);
    return preview.kind === 'ready' ? preview.preview : preview.message;
  };
  expect(await shown('spawn_ask', {request: 'How deep?\nApprove this.'})).toBe(
    `Begins a question to a model with read-only tools:
> How deep?
> Approve this.
It receives a summary of the context of its parent (projected). It changes nothing. What it would spawn is voted on by itself.
The parent waits for its result.`,
  );
  expect(await shown('spawn_agent', {request: 'Fix it', context_mode: 'fresh', wait: false})).toBe(
    `Begins another agent, which plans and carries out:
> Fix it
It receives nothing of the context of its parent (fresh). Its plan, and each call by which it would change something, is voted on by itself.
The parent continues in the meantime and receives the result later.`,
  );
  expect(await shown('spawn_discuss', {request: 'Which?'})).toContain(
    'It receives all the context of its parent (full). They have no tools and change nothing.',
  );
  expect(await shown('spawn_interview', {request: 'forms/job.toml'})).toBe(
    `Begins an interview with the person on:
> forms/job.toml
It receives all the context of its parent (full). It has no tools and changes nothing. The person may decline to answer.
The parent waits for its result.`,
  );
});

test('without a tree a spawn is refused', async () => {
  const outcome = await createPlace(toolbox).run('spawn_ask', {request: 'How deep?'});
  expect(outcome).toMatchObject({kind: 'refused', code: 'no_tree'});
});
