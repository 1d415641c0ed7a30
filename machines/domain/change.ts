/** The change that a write makes to a file, for people and judges. */

export interface Change {
  /** Relative to the workspace. */
  readonly path: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** Unified. Absent if there is none, as for a binary file. If it is cut off, its last line says how much is missing. */
  readonly diff?: string;
  /**
   * The difference between the text of the file before the run changed it and its text now: first for the whole run, then for
   * the interactions down to the one that made this change. Absent: this is the first change of the file, or that text is unknown.
   */
  readonly net?: readonly NetChange[];
}

/** `diff`: as in {@link Change}; only for the whole run. */
export type NetChange = Omit<Change, 'path' | 'net'>;

/** Written files that no change names, each once and relative to the workspace, if they are in it. */
export function writtenBeside(
  changes: readonly Pick<Change, 'path'>[],
  written: readonly string[],
  workspace: string,
): readonly string[] {
  const changed = new Set(changes.map(({path}) => placeIn(workspace, path)));
  return [...new Set(written.map((path) => placeIn(workspace, path)))].filter(
    (place) => !changed.has(place),
  );
}

/** `./a//b/../c.txt` → `a/c.txt`, and the same for its absolute path. Links are not followed. */
function placeIn(workspace: string, path: string): string {
  const whole = path.startsWith('/') ? path : `${workspace}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const place = `/${parts.join('/')}`;
  return place.startsWith(`${workspace}/`) ? place.slice(workspace.length + 1) : place;
}
