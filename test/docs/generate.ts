/** Writes the generated lists into their pages: part of `npm run diagrams`. */

import {readFileSync, writeFileSync} from 'node:fs';

import {generatedPages, withLists} from './generated.ts';

for (const page of generatedPages) writeFileSync(page, withLists(page, readFileSync(page, 'utf8')));
