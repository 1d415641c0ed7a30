/** The demo's files: beside this module in the sources; in the package, whose modules are built into a few, where they lie. */

import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

export function demoFile(name: string): string {
  const places = ['./', '../../cli/demo/'].map((folder) =>
    fileURLToPath(new URL(`${folder}${name}`, import.meta.url)),
  );
  const found = places.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`the demo's file ${name} is missing: ${places.join(', ')}`);
  return found;
}
