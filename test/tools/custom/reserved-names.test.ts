/** The names that a custom tool can't have are those of Quorate's own tools. */

import {expect, test} from 'vitest';

import {agentTools} from '../../../machines/forms/interview/agents/agent-tools.ts';
import {questionNames, toolOf} from '../../../machines/questions/questions.ts';
import {isFreeName} from '../../../tools/custom/reserved-names.ts';
import {
  builtInTools,
  createDatabase,
  createSearch,
  createWebFetch,
  spawnTools,
} from '../../../tools/index.ts';

const tools = [
  ...builtInTools('off'),
  createSearch({paths: [], topK: 1}),
  createDatabase({path: 'a.db'}),
  createWebFetch({allowPrivate: false}),
  ...spawnTools,
].map(({name}) => name);

test.each([
  ...new Set([
    ...tools,
    ...questionNames,
    ...questionNames.map(toolOf),
    ...Object.keys(agentTools),
  ]),
])('%s is taken', (name) => {
  expect(isFreeName(name)).toBe(false);
});

test.each(['lint', 'read_files', 'askme'])('%s is free', (name) => {
  expect(isFreeName(name)).toBe(true);
});
