/**
 * The files that a command itself has made, moved and changed so far. The earlier looks at these places are outdated.
 *
 * Some programs make only plain files and folders, so their output is known to be plain. The output of others may be a link.
 */

import {ignoredByGit, type Place, type PlaceState} from '../effect.ts';
import type {Unsettled} from './unsettling.ts';

export interface Made {
  /** It may be, or hold, a link. */
  readonly isOpaque: boolean;
  readonly path: string;
  /** Something exists there now: the path was not only deleted or moved away. */
  readonly isThere?: boolean;
  /** It was deleted or moved away, if the command succeeded. */
  readonly isGone?: boolean;
  readonly isFolder?: boolean;
  /** A program that is run may load it. */
  readonly isLoaded?: boolean;
  /** The git state of the file that was moved there. */
  readonly carries?: PlaceState | undefined;
}

export interface Makings {
  readonly add: (made: Made) => void;
  /** The place is, lies under or contains something that this command has changed. */
  readonly touches: (place: Place) => boolean;
  /** The place did not exist before this command made it. */
  readonly isMade: (place: Place) => boolean;
  /** From now on, other files may exist than those looked at before. */
  readonly unsettle: (which: Unsettled) => void;
  /** The place differs, or may differ, from the earlier look at it. */
  readonly isUnsettled: (place: Place) => boolean;
  /** Its kind is unknown: it is, lies under, or was reached through something that may be another link now. */
  readonly isOpaque: (place: Place) => boolean;
  /** Some path may be a link that was not looked at as one. */
  readonly hasOpaque: () => boolean;
  /** The worst state of the files moved to the path or below it. */
  readonly carriedTo: (path: string) => PlaceState | undefined;
  /** A command that copies, moves or links to this place puts its files into it; undefined: unknown. */
  readonly isFolder: (place: Place) => boolean | undefined;
  /** A pattern below this folder may match files that did not exist when the folder was looked at. */
  readonly mayHold: (folder: string, isKept: boolean) => boolean;
  /** A changed file that a program of the workspace may load when it runs. */
  readonly loaded: () => string | undefined;
  /** Time passes: later parts of the command may find other files. */
  readonly wait: () => void;
  readonly hasWaited: () => boolean;
  /** A file was made whose name is, or may be, an option. */
  readonly hasOptionLike: () => boolean;
}

const packages = /(?:^|\/)(?:node_modules|\.?venv|site-packages|vendor|\.yarn|\.pnp\.c?js)(?:\/|$)/;

/** No tool loads them. */
const inert = /\.(?:txt|log|md|csv|tsv|out|tmp|patch|diff|tap|xml|html|lcov)$/i;

/** The changed place may be code, or the configuration of a tool that runs. */
export function isLoadedPlace({path, inside, state, isIgnored}: Place): boolean {
  if (!inside || inert.test(path)) return false;
  return !(ignoredByGit.has(state) || isIgnored) || packages.test(path);
}

export function createMakings(): Makings {
  const all: Made[] = [];
  const unsettled = new Set<Unsettled>();
  let waited = false;
  const isLost = (path: string): boolean =>
    unsettled.size > 0 || all.some((made) => made.isGone && isWithin(path, made.path));
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
    isOpaque: ({path, links = []}) =>
      all.some(
        (made) =>
          (made.isOpaque && isWithin(path, made.path)) ||
          ((made.isOpaque || made.isGone) &&
            links.some((link) => link !== path && isWithin(link, made.path))),
      ),
    hasOpaque: () => unsettled.has('all') || all.some(({isOpaque}) => isOpaque),
    carriedTo: (path) => {
      const states = all.flatMap((made) =>
        made.carries && isWithin(made.path, path) ? [made.carries] : [],
      );
      return states.length > 0 ? worstOf(states) : undefined;
    },
    isFolder: ({path, isFolder}) => {
      if (isFolder) return isLost(path) ? undefined : true;
      const isMade = all.some(
        (made) =>
          (made.path === path && (made.isFolder || made.isOpaque)) ||
          (made.path !== path && isWithin(made.path, path) && made.isThere),
      );
      return isMade ? undefined : false;
    },
    mayHold: (folder, isKept) =>
      (unsettled.has('all') && !isKept) ||
      all.some(
        (made) =>
          ((made.isOpaque || made.carries) && isWithin(made.path, folder)) ||
          (made.isOpaque && isWithin(folder, made.path)),
      ),
    loaded: () => all.find(({isLoaded}) => isLoaded)?.path,
    wait: () => {
      waited = true;
    },
    hasWaited: () => waited,
    hasOptionLike: () => all.some(({path, isOpaque}) => isOpaque || /(?:^|\/)-[^/]*$/.test(path)),
  };
}

/** Git leaves untracked and ignored files as they are. */
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
