import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {traceRun} from './trace.ts';
import {walksDocument} from './walks.ts';

test('the walks match a current run', async () => {
  const written = readFileSync(join(import.meta.dirname, '../../diagrams/walks.md'), 'utf8');
  expect(written, 'run "npm run diagrams"').toBe(walksDocument(await traceRun()));
});
