/** Writes the diagram of every machine next to this file, and the picture of the agent in README: `npm run diagrams`. */

import {join} from 'node:path';

import {agentMachine} from '../machines/forms/agent/agent.ts';
import {machines} from '../machines/index.ts';
import {writeDiagrams, writePicture} from './write.ts';

const folder = import.meta.dirname;

writeDiagrams(machines, folder);
writePicture(agentMachine, join(folder, '../README.md'));
