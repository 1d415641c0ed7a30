/** Writes the settings into the README of the configuration: part of `npm run diagrams`. */

import {readFileSync, writeFileSync} from 'node:fs';

import {withSettings} from './settings.ts';

const page = 'actors/config/README.md';

writeFileSync(page, withSettings(readFileSync(page, 'utf8')));
