/** Writes the diagrams of every machine next to this file: `npm run diagrams`. */

import {agentMachine} from '../machines/forms/agent/agent.ts';
import {machines} from '../machines/index.ts';
import {diagramFiles, sketchFile, writeFiles} from './files.ts';

const files = await Array.fromAsync(machines, diagramFiles);
const patterns = ['positions/*.json', 'svg/*.svg', '*-sketch.svg'];
writeFiles(
  import.meta.dirname,
  Object.assign({}, ...files, await sketchFile(agentMachine)),
  patterns,
);
