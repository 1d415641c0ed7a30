/** The settings as rows of the reference, with their descriptions. */

import {expect, test} from 'vitest';

import {settingsReference} from '../../../actors/config/reference.ts';

const rows = settingsReference();

test('every setting is described', () => {
  expect(rows.filter(({text}) => text === '')).toEqual([]);
});

test.each([
  ['agent.hil_mode', '"interactive" | "auto_reject" | "auto_approve"', '"interactive"'],
  ['agent.consensus_level', '"solo" | "ensemble"', '"solo"'],
  ['agent.require_plan_review', 'true', 'true'],
  ['limits.max_model_calls', '1 … 1000000', '1000'],
  ['search.paths', 'list', '["**/*.md"]'],
  ['providers.NAME.first_byte_ms', '1 … 2147483647', ''],
  ['spawn.form', '"agent" | "ask" | "discuss" | "interview"', ''],
  ['prices.MODEL.output', '0 … 1000000', ''],
])('%s takes %s', (key, takes, value) => {
  expect(rows.find((row) => row.key === key)).toMatchObject({takes, default: value});
});
