/**
 * The version of the code that determines the course of a run: a hash of the sources of the charts, their guards and actions
 * and the code that these call, without prompts, texts for people, and the code that tests charts. The build replaces this
 * file by one with the constant hash, so that a run has the same version however the program is started; see
 * rolldown.config.ts.
 */

import {hash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** Prompts and texts are excluded: wording does not affect decisions. See the digest of a request in `port-natures.ts`. */
const isDeciding = /^(?!testing\/)(?!.*\btexts\b).*(?<!prompts?)\.ts$/;

let version: string | undefined;

export function chartsVersion(): string {
  version ??= versionOf(join(import.meta.dirname, '../machines'));
  return version;
}

/** 16 hex digits. */
export function versionOf(folder: string): string {
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'});
  const sources = names
    .filter((name) => isDeciding.test(name))
    .toSorted()
    .map((name) => `${name}\n${readFileSync(join(folder, name), 'utf8')}`);
  return hash('sha256', sources.join('\n')).slice(0, 16);
}
