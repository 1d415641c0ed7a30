/** Writes diagrams/walks.md: part of `npm run diagrams`. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {traceRun} from './trace.ts';
import {walksDocument} from './walks.ts';

writeFileSync(
  join(import.meta.dirname, '../../diagrams/walks.md'),
  walksDocument(await traceRun()),
);
