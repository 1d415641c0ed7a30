/**
 * What a command itself has made, moved and changed up to a point: there the world is no more what was looked at.
 *
 * What a program made that makes nothing but plain files and folders is known to be one; anything else may be a link.
 */

import {ignoredByGit, type Place, type PlaceState} from '../effect.ts';
import type {Unsettled} from './unsettling.ts';

export interface Made {
  /** It may be, or hold, a link. */
  readonly isOpaque: boolean;
  readonly path: string;
  /** Whatever lies there now, something does: it was not only deleted or moved away. */
  readonly isThere?: boolean;
  readonly isFolder?: boolean;
  /** A program that is run may load it. */
  readonly isLoaded?: boolean;
  /** How what was moved there stood to git. */
  readonly carries?: PlaceState | undefined;
}

export interface Makings {
  readonly add: (made: Made) => void;
  /** It is, lies under or holds something that this command has changed. */
  readonly touches: (place: Place) => boolean;
  /** It was not there before this command made it. */
  readonly isMade: (place: Place) => boolean;
  /** From now on other files may be there than were looked at. */
  readonly unsettle: (which: Unsettled) => void;
  /** It is not, or may not be, what was looked at any more. */
  readonly isUnsettled: (place: Place) => boolean;
  /** What it is can't be known: it is, or lies under, something that may be a link. */
  readonly isOpaque: (path: string) => boolean;
  /** Something may be a link that was not looked at as one. */
  readonly hasOpaque: () => boolean;
  /** The worst state of what was moved there, or below it. */
  readonly carriedTo: (path: string) => PlaceState | undefined;
  /** It was made a folder, or may be one. */
  readonly isFolder: (path: string) => boolean;
  /** A pattern below this folder may stand for what was not there when it was looked at. */
  readonly mayHold: (folder: string, isKept: boolean) => boolean;
  /** What was changed that a program of the workspace may load when it runs. */
  readonly loaded: () => string | undefined;
  /** Time passes: what comes later meets another world. */
  readonly wait: () => void;
  readonly hasWaited: () => boolean;
  /** Something was made whose name is, or may be, that of an option. */
  readonly hasOptionLike: () => boolean;
}

const packages = /(?:^|\/)(?:node_modules|\.?venv|site-packages|vendor|\.yarn|\.pnp\.c?js)(?:\/|$)/;

/** No tool loads them. */
const inert = /\.(?:txt|log|md|csv|tsv|out|tmp|patch|diff|tap|xml|html|lcov)$/i;

/** Whether what is changed there may be code, or the configuration of a tool that runs. */
export function isLoadedPlace({path, inside, state, isIgnored}: Place): boolean {
  if (!inside || inert.test(path)) return false;
  return !(ignoredByGit.has(state) || isIgnored) || packages.test(path);
}

export function createMakings(): Makings {
  const all: Made[] = [];
  const unsettled = new Set<Unsettled>();
  let waited = false;
  return {
    add: (made) => void all.push(made),
    touches: (place) => {
      const {path} = place;
      const isMade = all.some((made) => isWithin(made.path, path) || isWithin(path, made.path));
      return isMade || mayDiffer(place, unsettled);
    },
    isMade: ({path, state}) =>
      state === 'absent' && all.some((made) => made.isThere && made.path === path),
    unsettle: (which) => void unsettled.add(which),
    isUnsettled: (place) => mayDiffer(place, unsettled),
    isOpaque: (path) => all.some((made) => made.isOpaque && isWithin(path, made.path)),
    hasOpaque: () => unsettled.has('all') || all.some(({isOpaque}) => isOpaque),
    carriedTo: (path) => {
      const states = all.flatMap((made) =>
        made.carries && isWithin(made.path, path) ? [made.carries] : [],
      );
      return states.length > 0 ? worstOf(states) : undefined;
    },
    isFolder: (path) => all.some((made) => path === made.path && (made.isFolder || made.isOpaque)),
    mayHold: (folder, isKept) =>
      (unsettled.has('all') && !isKept) ||
      all.some((made) => (made.isOpaque || made.carries) && isWithin(made.path, folder)),
    loaded: () => all.find(({isLoaded}) => isLoaded)?.path,
    wait: () => {
      waited = true;
    },
    hasWaited: () => waited,
    hasOptionLike: () => all.some(({path, isOpaque}) => isOpaque || /(?:^|\/)-[^/]*$/.test(path)),
  };
}

/** What git does not know, or ignores, it leaves as it is. */
function mayDiffer({inside, state, isIgnored}: Place, unsettled: ReadonlySet<Unsettled>): boolean {
  if (!inside || isIgnored) return false;
  if (unsettled.has('all')) return state !== 'untracked' && !ignoredByGit.has(state);
  return unsettled.has('changed') && /^(?:changed|written|unknown)$/.test(state);
}

/** `path` is `folder`, or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' ? !path.startsWith('/') : path === folder || path.startsWith(`${folder}/`);
}

const fromWorst: readonly PlaceState[] = [
  'unknown',
  'untracked',
  'data',
  'changed',
  'clean',
  'written',
  'ignored',
  'absent',
];

export function worstOf(states: readonly PlaceState[]): PlaceState {
  return fromWorst.find((state) => states.includes(state)) ?? 'absent';
}
