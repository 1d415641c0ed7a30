/** Writes the generated lists into their pages, and the spec map: part of `npm run diagrams`. */

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {generatedPages, withLists} from './generated.ts';
import {specMapPage} from './spec-map/page.ts';

for (const page of generatedPages) writeFileSync(page, withLists(page, readFileSync(page, 'utf8')));
writeFileSync(join(import.meta.dirname, '../../diagrams/spec-map.md'), specMapPage());
