/** What the package ships: its version, and its files. */

import {existsSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

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

// Files that the package ships as they are: one folder up from here in the sources, two from the built files.

/** The path of a shipped file, given its path from the package's root. Throws when it is missing. */
export function shippedFile(name: string): string {
  const places = ['../', '../../'].map((up) => fileURLToPath(new URL(up + name, import.meta.url)));
  const found = places.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`the package lacks its file ${name}: ${places.join(', ')}`);
  return found;
}
