/** What a command does to the world: what is judged, in place of its words. */

/**
 * On places: `reads` their content, `lists` them without their content, `creates` what loses nothing (a folder, an empty
 * file), `appends`, `edits` a part in a way that is understood, `writes` new content in place of what is there,
 * `empties`, `moves` away from there, `deletes`.
 * On others: `fetches` from an address, `sends` to one, `runs` code of the workspace or of its packages, `installs`
 * packages, `publishes`, `records` in the history of a repository, `discards` what a repository keeps or has not yet
 * recorded, `signals` other processes, `reveals` variables of the environment, `alters` the system outside the workspace
 * (services, containers, databases, accounts).
 */
export type EffectKind =
  | 'reads'
  | 'lists'
  | 'creates'
  | 'appends'
  | 'edits'
  | 'writes'
  | 'empties'
  | 'moves'
  | 'deletes'
  | 'fetches'
  | 'sends'
  | 'runs'
  | 'installs'
  | 'publishes'
  | 'records'
  | 'discards'
  | 'signals'
  | 'reveals'
  | 'alters';

/** Effects whose target is a place in the file system. */
export const placeEffects: ReadonlySet<EffectKind> = new Set([
  'reads',
  'lists',
  'creates',
  'appends',
  'edits',
  'writes',
  'empties',
  'moves',
  'deletes',
]);

/**
 * How git, or this run, stands to a place: `absent`; `clean` can be brought back from git; `changed` and `untracked` can't;
 * `ignored` is build output and the like, which tools make again; `data` is all else that git ignores; `written` by this run
 * and by nobody else since. `unknown`: outside, or not looked at.
 */
export type PlaceState =
  | 'absent'
  | 'clean'
  | 'changed'
  | 'untracked'
  | 'ignored'
  | 'data'
  | 'written'
  | 'unknown';

export interface Place {
  /** Relative to the workspace, `''` for itself; absolute where it lies outside. Links are resolved. */
  readonly path: string;
  readonly inside: boolean;
  readonly isFolder: boolean;
  /** The path as it was given goes through a link, or is one. */
  readonly isLinked?: true;
  /** Nothing was there before the same command made it. */
  readonly isMade?: true;
  /** Its name is that of a file in which credentials may stand (`.npmrc`); none does. */
  readonly holdsNoSecret?: true;
  /** A file with other names (hard links), which may lie anywhere. */
  readonly isShared?: true;
  /** Nothing is there, and git would ignore it. */
  readonly isIgnored?: true;
  /** Of a folder or a pattern: of the worst of what it holds. */
  readonly state: PlaceState;
}

export interface Effect {
  readonly kind: EffectKind;
  /** A path as in {@link Place}, a host with its port, a command, names of packages, a few words. */
  readonly target: string;
  /** Of {@link placeEffects}. */
  readonly place?: Place;
  /** It touches more than the one file that is named: a folder, a tree, a pattern. */
  readonly wide?: true;
  /** Of code that runs: the command does not name it; a runner loads it. */
  readonly isReached?: true;
  /** Of `lists`: a link is made that leads there. */
  readonly isLink?: true;
  /** Of `fetches` and `sends`: a part of the address is computed, perhaps from what was read. */
  readonly isComputed?: true;
  /** Of `fetches` and `sends`: the program goes there of itself; no word of the command names the address. */
  readonly isOwn?: true;
  /** Of `fetches` and `sends`: words that may go there beside the address, cut where they are long. */
  readonly along?: readonly string[];
  /** The simple command that has it, at most 160 characters. */
  readonly by: string;
}

/** What was not understood: a word, a program, a construct; and why that matters, in a few words. */
export interface Unknown {
  readonly word: string;
  readonly why: string;
  /** Confinement does not help: it could be lost for good, or shown to a model, all the same. */
  readonly evenConfined?: true;
}

/** Git knows what lies there, or leaves it to tools: not what somebody has put there since, this run perhaps. */
export const knownToGit: ReadonlySet<PlaceState> = new Set(['clean', 'changed', 'ignored', 'data']);

export const ignoredByGit: ReadonlySet<PlaceState> = new Set(['ignored', 'data']);
