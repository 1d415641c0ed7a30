/** Writes diagrams/coverage.md from the recorded outcomes: part of `npm run diagrams`. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {coverageDocument} from './coverage.ts';
import {readOutcomes} from './outcomes.ts';

writeFileSync(
  join(import.meta.dirname, '../../diagrams/coverage.md'),
  coverageDocument(readOutcomes()),
);
