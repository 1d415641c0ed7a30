/** The surroundings of a workspace as they will be after writes that have not happened yet. */

import type {Place, PlaceState} from './effect.ts';
import type {LookOptions, Surroundings} from './surroundings.ts';

const maxTextBytes = 256 * 1024;

/**
 * `pending`: whole texts of files, by path relative to the workspace. A pattern does not match files that are new: a command
 * that names them by one has another basis when it runs.
 */
export function withPending(
  surroundings: Surroundings,
  pending: ReadonlyMap<string, string>,
): Surroundings {
  if (pending.size === 0) return surroundings;
  const {placeOf, readFileText, files} = surroundings;
  return {
    ...surroundings,
    placeOf: async (path, options) => {
      const place = await placeOf(path, options);
      return isPending(place, pending) ? afterWrite(place, options) : place;
    },
    readFileText: async (path) => {
      const place = await placeOf(path);
      const text = isPending(place, pending) ? pending.get(place.path) : undefined;
      if (text === undefined) return await readFileText(path);
      return Buffer.byteLength(text) > maxTextBytes ? undefined : text;
    },
    files: async () => {
      const found = await files();
      if (!found) return undefined;
      const known = new Set([...found.tracked, ...found.untracked]);
      const added = [...pending.keys()].filter((path) => !known.has(path));
      return {...found, untracked: [...found.untracked, ...added]};
    },
  };
}

function isPending(place: Place, pending: ReadonlyMap<string, string>): boolean {
  return place.inside && pending.has(place.path);
}

const plain: ReadonlySet<PlaceState> = new Set(['absent', 'clean', 'changed', 'untracked']);

function afterWrite(place: Place, {written}: LookOptions = {}): Place {
  const {state, path, isIgnored} = place;
  if (!plain.has(state)) return place;
  if (written?.has(path)) return {...place, state: 'written'};
  if (state === 'absent') return {...place, state: isIgnored ? 'ignored' : 'untracked'};
  return state === 'clean' ? {...place, state: 'changed'} : place;
}
