/**
 * The version of all that decides in a run: a hash of the sources of the charts, their guards and actions and what
 * those call, without the prompts. The same for one copy of the package however it is started; its sources and its
 * build differ.
 */

import {hash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {machines} from '../machines/index.ts';

const folder = join(import.meta.dirname, '../machines');
/** Wording decides nothing: see the digest of a request in `ports.ts`. */
const isDeciding = /^(?!.*prompt\.[jt]s$).*(?<!\.d)\.[jt]s$/;

let version: string | undefined;

export function chartsVersion(): string {
  version ??= hash('sha256', existsSync(folder) ? sourcesIn(folder) : definitions()).slice(0, 16);
  return version;
}

function sourcesIn(root: string): string {
  const names = readdirSync(root, {recursive: true, encoding: 'utf8'});
  const deciding = names.filter((name) => isDeciding.test(name)).toSorted();
  return deciding.map((name) => `${name}\n${readFileSync(join(root, name), 'utf8')}`).join('\n');
}

/** In a bundle there are no files: what the machines are made of, as far as it can be seen. */
function definitions(): string {
  const parts = machines.map(({config, implementations}) => ({config, implementations}));
  return JSON.stringify(parts, (_key, part: unknown) =>
    typeof part === 'function' ? String(part) : part,
  );
}
