/**
 * Whole runs with the offline model, judged by the files: each wording has the right result, or is refused and changes
 * nothing.
 */

import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {afterAll, expect, test} from 'vitest';

import {createRuntime} from '../../../../actors/index.ts';
import type {RunResult} from '../../../../machines/domain/result.ts';
import {sampled} from '../../../support/depth.ts';
import {naturalRequests, refusals} from './natural-requests.ts';
import {createFolder} from './shop.ts';
import type {Wording} from './wording.ts';
import {wordings} from './wordings.ts';
import {world} from './world.ts';

const runtime = createRuntime({env: {}, config: {agent: {hil_mode: 'auto_reject'}}});
afterAll(() => runtime.close());

test.each(sampled([...naturalRequests, ...wordings, ...refusals], 5))(
  '$request',
  async (wording) => {
    const folder = createFolder(world);
    const result = await runtime.agent(wording.request, {workspace: folder.path}).result;
    const said = saidIn(result);
    const folders = wording.changes.map(([path]) => path).filter((path) => path.endsWith('/'));
    expect({
      said,
      status: result.status,
      changes: folder.changes(),
      made: folders.filter((path) => existsSync(join(folder.path, path))),
    }).toStrictEqual({
      said: expect.not.stringMatching(/glob_search|grep_search|read_file/),
      status: expect.stringMatching(wording.isRefused ? /^(?:failed|rejected)$/ : /^completed$/),
      changes: changesOf(wording),
      made: folders,
    });
    for (const words of wording.says) expect(said).toContain(words);
  },
);

function changesOf({changes}: Wording): Record<string, string | undefined> {
  const after: Record<string, string | undefined> = {};
  for (const [path, from, to] of changes) {
    if (path.endsWith('/')) continue;
    const before = after[path] ?? String(world[path] ?? '');
    after[path] = to === undefined ? from : before.replaceAll(from ?? '', () => to);
  }
  return after;
}

function saidIn({summary, tasks = []}: RunResult): string {
  return [summary, ...tasks.map(({failure}) => failure?.message ?? '')].join('\n');
}
