/** Questions about a folder as whole runs with the offline model, judged by required and forbidden parts of the answer. */

import {join} from 'node:path';

import {afterAll, expect, test} from 'vitest';

import {createRuntime} from '../../../../../actors/index.ts';
import {sampled} from '../../../../support/depth.ts';
import {english, japanese} from '../questions-table.ts';
import {questionsTree} from '../questions-tree.ts';
import {createFolder, createSales} from '../shop.ts';

const runtimes: {close: () => Promise<unknown>}[] = [];
afterAll(async () => await Promise.all(runtimes.map((runtime) => runtime.close())));

test.each(sampled([...english, ...japanese], 3))('$asked', async ({asked, says, never = /^$/}) => {
  const folder = createFolder(questionsTree);
  const path = join(folder.path, 'sales.sqlite');
  const isOfTables = asked.includes('sales.sqlite');
  if (isOfTables) createSales(path);
  const runtime = createRuntime({env: {}, config: isOfTables ? {database: {path}} : {}});
  runtimes.push(runtime);
  const {answer = ''} = await runtime.ask(asked, {workspace: folder.path}).result;
  for (const pattern of says) expect(answer).toMatch(pattern);
  expect(answer).not.toMatch(never);
});
