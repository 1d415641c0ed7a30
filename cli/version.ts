/** The program's version, from its package.json: beside the sources, or one folder up from the built files. */

import {readFileSync} from 'node:fs';

export function version(): string {
  const [text = '{}'] = ['../package.json', '../../package.json'].flatMap(tryRead);
  return /"version":\s*"([^"]+)"/.exec(text)?.[1] ?? 'unknown';
}

function tryRead(path: string): string[] {
  try {
    return [readFileSync(new URL(path, import.meta.url), 'utf8')];
  } catch {
    return [];
  }
}
