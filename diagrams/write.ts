/** Keeps a folder of diagrams, and the picture in a document, current. */

import {globSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import type {AnyStateMachine} from 'xstate';

import {toMermaid, toSketch} from './mermaid.ts';

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

/** Draws the machine's sketch between its marks in a Markdown file. */
export function writePicture(machine: AnyStateMachine, file: string): void {
  writeFileSync(file, withPicture(readFileSync(file, 'utf8'), machine));
}

/** The Markdown with the machine's picture between `<!-- diagram ID -->` and `<!-- /diagram -->`. Throws without them. */
export function withPicture(markdown: string, machine: AnyStateMachine): string {
  const [begin, end] = [`<!-- diagram ${machine.id} -->\n`, '<!-- /diagram -->'];
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`there is no place for a diagram of ${machine.id}`);
  const picture = `\n\`\`\`mermaid\n${toSketch(machine)}\`\`\`\n\n`;
  return markdown.slice(0, from + begin.length) + picture + markdown.slice(to);
}
