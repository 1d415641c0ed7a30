/** The files that store the state of a workspace before a command of a run. */

import {rmSync} from 'node:fs';
import {join} from 'node:path';

export function markerFile(folder: string, run: string): string {
  return join(folder, `${run}.json`);
}

export function baselineFile(folder: string, run: string): string {
  return join(folder, `${run}.baseline`);
}

export function removeMarker(folder: string, run: string): void {
  rmSync(markerFile(folder, run), {force: true});
}
