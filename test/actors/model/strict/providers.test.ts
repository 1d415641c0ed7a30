/** Agents, questions, votes and resumed runs on servers that are as strict as their providers. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {type Asked, type Said} from '../../../support/strict/server.ts';
import {dialects, strictWorld, work} from './dialects.ts';

describe.each(dialects)('$name', (dialect) => {
  /** A server that refuses forced tool use says so once. */
  const refusals = /unforced|forced/.test(dialect.name) ? 1 : 0;

  test('an agent plans, votes, reads, writes and completes', async () => {
    const {server, workspace, open} = await strictWorld(dialect, work);
    const runtime = await open();
    const run = runtime.start({form: 'agent', request: 'Write c.txt', workspace});
    const result = await run.result;
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(readFileSync(join(workspace, 'c.txt'), 'utf8')).toBe('42\n');
    expect(result.reviews?.map(({kind, approved}) => `${kind} ${approved}`)).toEqual([
      'plan true',
      'action true',
    ]);
    expect(server.refusals).toHaveLength(refusals);
  });

  test('a question is answered after several turns', async () => {
    const {server, workspace, open} = await strictWorld(dialect, work);
    const runtime = await open();
    const run = runtime.start({form: 'ask', request: 'What is the answer?', workspace});
    expect(await run.result).toMatchObject({status: 'completed', answer: 'The answer is 42.'});
    expect(server.refusals).toEqual([]);
  });

  test('a run that another runtime resumes in the middle continues with the state of its model', async () => {
    const hung = Promise.withResolvers<void>();
    let isFirst = true;
    const {server, workspace, open} = await strictWorld(dialect, (asked: Asked): Said => {
      const isMiddle = asked.tools.includes('write_file') && asked.turn === 2;
      if (!isMiddle || !isFirst) return work(asked);
      isFirst = false;
      hung.resolve();
      return 'hang';
    });
    const first = await open();
    const {id} = first.start({form: 'agent', request: 'Write c.txt', workspace});
    await hung.promise;
    const second = await open();
    const {bodies} = server;
    const cut = bodies.at(-1);
    const resumed = await second.resume(id);
    expect(await resumed.result).toMatchObject({status: 'completed', exitCode: 0});
    expect(readFileSync(join(workspace, 'c.txt'), 'utf8')).toBe('42\n');
    expect(bodies.filter((body) => body === cut)).toHaveLength(2);
    expect(server.refusals.length).toBeLessThanOrEqual(2 * refusals);
  });
});
