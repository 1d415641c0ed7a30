/** Commands that check work, and whether their exit code says how the check ended. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {checksOf} from '../../../tools/commands/known.ts';
import {understand} from '../../../tools/commands/reader.ts';
import {createSurroundings} from '../../../tools/commands/surroundings.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-checks-'));
  const scripts = {test: 'node --test', verify: 'tsc --noEmit', build: 'node build.js'};
  writeFileSync(join(folder, 'package.json'), JSON.stringify({scripts}));
});

afterAll(() => rmSync(folder, {recursive: true}));

test.each([
  ['npm test', 1, ['tests failed']],
  ['npm test', 0, ['tests passed']],
  ['npm test 2>&1', 1, ['tests failed']],
  ['npm test 2>&1 | tail -5', 0, ['tests unknown']],
  ['npm test || true', 0, ['tests unknown']],
  ['cd . && npm test', 1, ['tests failed']],
  ['npm run build && npm test', 1, ['build unknown', 'tests failed']],
  ['npm run build && npm test', 0, ['build passed', 'tests passed']],
  ['npm run verify', 2, ['types failed']],
  ['python3 -m mypy src', 1, ['types failed']],
  ['eslint src', 1, ['lint failed']],
  ['eslint --version', 0, []],
  ['make', 2, ['build failed']],
  ['pytest', 127, []],
  ['grep -rn "npm test" .', 1, []],
  ['npm tset', 1, []],
])('%s with exit code %s: %j', async (line, exitCode, expected) => {
  const surroundings = createSurroundings(folder);
  const {commands} = await understand(line, {surroundings, folder: '', written: []});
  const outcome =
    exitCode === 0
      ? ({kind: 'succeeded', text: '', exitCode} as const)
      : ({kind: 'failed', code: 'exit_nonzero', message: '', exitCode} as const);
  const {checks = []} = checksOf(commands, line, outcome);
  expect(checks.map(({kind, status}) => `${kind} ${status}`)).toEqual(expected);
});
