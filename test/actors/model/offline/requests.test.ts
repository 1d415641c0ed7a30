/** First requests of new users, as whole runs with the offline model: judged by the files and the status, not by the words. */

import {afterAll, expect, test} from 'vitest';

import {createRuntime} from '../../../../actors/index.ts';
import type {RunResult} from '../../../../machines/domain/result.ts';
import {sampled} from '../../../support/depth.ts';
import {files, marks, others, overviews, running, scopes, type Tried} from './requests.ts';
import {createFolder, shop} from './shop.ts';

const runtime = createRuntime({env: {}, config: {agent: {hil_mode: 'auto_reject'}}});
afterAll(() => runtime.close());

const all: readonly Tried[] = [...overviews, ...marks, ...scopes, ...files, ...running, ...others];

test.each(sampled(all, 4))('$request: $outcome', async (tried) => {
  const folder = createFolder(tried.files ?? {...shop, ...tried.more});
  const result = await runtime.agent(tried.request, {workspace: folder.path}).result;
  expect({
    status: result.status,
    isPlanned: (result.tasks ?? []).length > 0,
    said: saidIn(result),
  }).toEqual(endOf(tried));
  expect(folder.changes()).toStrictEqual(changesOf(tried));
});

const statuses = {done: /^completed$/, notUnderstood: /^failed$/, notDone: /^(?:failed|rejected)$/};

function endOf({outcome, says = /\S/}: Tried) {
  return {
    status: expect.stringMatching(statuses[outcome]),
    isPlanned: outcome !== 'notUnderstood',
    said: expect.stringMatching(says),
  };
}

function changesOf({changes = {}}: Tried) {
  return Object.fromEntries(
    Object.entries(changes).map(([path, content]) => [path, content && matching(content)]),
  );
}

function matching(content: string | RegExp) {
  return expect.stringMatching(typeof content === 'string' ? wholly(content) : content);
}

function wholly(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}$`);
}

/** All texts of the result that a person reads. */
function saidIn({summary, tasks = [], reviews = []}: RunResult): string {
  const reasons = reviews.flatMap(({votes}) => votes.flatMap((vote) => vote.reasons ?? []));
  return [summary, ...tasks.map(({failure}) => failure?.message ?? ''), ...reasons].join('\n');
}

test('most of these requests are done', () => {
  expect(all.filter(({outcome}) => outcome === 'done').length).toBeGreaterThanOrEqual(40);
  expect(all.length).toBeGreaterThanOrEqual(57);
});
