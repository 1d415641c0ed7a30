/** Writes the diagram of every machine next to this file: `npm run diagrams`. */

import {machines} from '../machines/index.ts';
import {writeDiagrams} from './write.ts';

writeDiagrams(machines, import.meta.dirname);
