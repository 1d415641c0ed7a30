/** Keeps a folder of diagrams current. */

import {globSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import type {AnyStateMachine} from 'xstate';

import {toMermaid} from './mermaid.ts';

/** Makes the folder hold `<id>.mmd` for each machine and no other diagram. */
export function writeDiagrams(machines: readonly AnyStateMachine[], folder: string): void {
  const current = new Set(machines.map(({id}) => `${id}.mmd`));
  for (const file of globSync('*.mmd', {cwd: folder})) {
    if (!current.has(file)) rmSync(join(folder, file));
  }
  for (const machine of machines) {
    writeFileSync(join(folder, `${machine.id}.mmd`), toMermaid(machine));
  }
}
