/** Files that the package ships as they are: one folder up from here in the sources, two from the built files. */

import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

/** The path of a shipped file, given its path from the package's root. Throws when it is missing. */
export function shippedFile(name: string): string {
  const places = ['../', '../../'].map((up) => fileURLToPath(new URL(up + name, import.meta.url)));
  const found = places.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`the package lacks its file ${name}: ${places.join(', ')}`);
  return found;
}
