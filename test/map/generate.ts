/** Writes the map of the system, `diagrams/map.json` and `diagrams/map.svg`: part of `npm run diagrams`. */

import {join} from 'node:path';

import {writeFiles} from '../../diagrams/files.ts';
import {mapSvg} from '../../diagrams/map/draw-map.ts';
import {mapText, systemMap} from './map.ts';

const map = systemMap();
const files = {'map.json': mapText(map), 'map.svg': await mapSvg(map)};
writeFiles(join(import.meta.dirname, '../../diagrams'), files, []);
