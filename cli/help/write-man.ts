/** Writes the manual page of the package: `node cli/help/write-man.ts FILE`. */

import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

import {version} from '../version.ts';
import {manPage} from './man.ts';

const [, , file = 'dist/quorate.1'] = process.argv;
mkdirSync(dirname(file), {recursive: true});
writeFileSync(file, await manPage(version()));
