/** Writes the settings into README: part of `npm run diagrams`. */

import {readFileSync, writeFileSync} from 'node:fs';

import {withSettings} from './settings.ts';

writeFileSync('README.md', withSettings(readFileSync('README.md', 'utf8')));
