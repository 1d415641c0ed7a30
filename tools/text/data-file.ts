/**
 * Text files of data beside a module. In the sources they are read on first use. The build replaces each call by the
 * text itself; see rolldown.data-files.ts, which finds calls written as `dataFile(new URL('NAME', import.meta.url))`.
 */

import {readFileSync} from 'node:fs';

/** Throws when there is no such file. */
export function dataFile(url: URL): string {
  return readFileSync(url, 'utf8');
}
