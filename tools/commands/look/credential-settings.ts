/** Files of settings in which credentials may stand: `.npmrc`, `.pypirc`. */

import {readFileSync, type Stats} from 'node:fs';
import {posix} from 'node:path';

import {secretIn} from '../../../machines/domain/secrets.ts';

const names: ReadonlySet<string> = new Set(['.npmrc', '.pypirc', '.my.cnf', '.dockercfg']);
const maxBytes = 64 * 1024;

/** `//registry.example/:_authToken=…`; one that the environment sets is none: `${NPM_TOKEN}`. */
const setting =
  /^[ \t]*[^#;\s][^\n=]*?(?:auth|pass|token|secret|key|cert|user)[\w"'-]*[ \t]*[=:][ \t]*(?!["']?\$\{\w+\}["']?[ \t]*$)\S/im;

/** Whether it is such a file, and none stands in it. `path` is absolute, and no link. */
export function holdsNoSecret(path: string, stat: Stats): boolean {
  if (!names.has(posix.basename(path)) || !stat.isFile() || stat.size > maxBytes) return false;
  try {
    const text = readFileSync(path, 'utf8').replaceAll('\r', '\n');
    return !/:\/\/[^\s/@]*@/.test(text) && !setting.test(text) && secretIn(text) === undefined;
  } catch {
    return false;
  }
}
