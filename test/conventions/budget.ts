/** Counts the lines of each room: every tracked text file that is not generated. */

import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';

const generated = /^diagrams\/(?:svg|positions|[^/]*\.svg)|^package-lock\.json$|\.(?:png|gz|snap)$/;
const maxColumns = 100;

/** By folder in a layer, and `test` as a whole; sorted. */
export function roomSizes(): Readonly<Record<string, number>> {
  const files = execFileSync('git', ['ls-files', '-z'], {encoding: 'utf8'}).split('\0');
  const counted = files.filter((file) => file.includes('/') && !generated.test(file));
  const sizes = new Map<string, number>();
  for (const file of counted.filter((each) => existsSync(each))) {
    const room = roomOf(file);
    sizes.set(room, (sizes.get(room) ?? 0) + linesOf(readFileSync(file, 'utf8')));
  }
  return Object.fromEntries([...sizes].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function roomOf(file: string): string {
  const [layer = '', room = '', ...rest] = file.split('/');
  return layer === 'test' || layer.startsWith('.') || rest.length === 0
    ? layer
    : `${layer}/${room}`;
}

function linesOf(text: string): number {
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
  return lines.reduce((sum, {length}) => sum + Math.max(1, Math.ceil(length / maxColumns)), 0);
}

if (import.meta.main) console.log(JSON.stringify(roomSizes(), undefined, 2));
