/** Effects of a command on the world. Policies judge these effects, not the command's words. */

/**
 * On places: `reads` their content, `lists` them without their content, `creates` without losing anything (a folder, an empty
 * file), `appends`, `edits` a part in a way that is understood, `writes` new content over the old content, `empties`, `moves` away
 * from there, `deletes`.
 * On others: `fetches` from an address, `sends` to one, `runs` code of the workspace or of its packages, `installs`
 * packages, `publishes`, `records` in the history of a repository, `discards` data that a repository keeps or has not yet
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
 * The state of a place for git and for this run: `absent`; `clean` can be restored from git; `changed` and `untracked` can't;
 * `ignored` is output, such as a build's, that tools make again; `data` is everything else that git ignores; `written`: only this run
 * has written it since. `unknown`: outside the workspace, or not looked at.
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
  /** The links that the given path is or goes through, as in `path`. */
  readonly links?: readonly string[];
  /** Its name is that of a file that may contain credentials (`.npmrc`), but it contains none. */
  readonly holdsNoSecret?: true;
  /** A file with other names (hard links), which may lie anywhere. */
  readonly isShared?: true;
  /** Neither a file nor a folder: a pipe, a socket or a device. */
  readonly isSpecial?: true;
  /** Nothing exists there, and git would ignore it. */
  readonly isIgnored?: true;
  /** For a folder or a pattern: the worst state of its files. */
  readonly state: PlaceState;
}

/** Effects that change the content of a place. */
export const changes: ReadonlySet<EffectKind> = placeEffects.difference(
  new Set<EffectKind>(['reads', 'lists']),
);

export interface Effect {
  readonly kind: EffectKind;
  /** A path as in {@link Place}, a host with its port, a command, names of packages, a few words. */
  readonly target: string;
  /** Only for the effects in {@link placeEffects}. */
  readonly place?: Place;
  /** It affects more than the one named file: a folder, a tree, a pattern. */
  readonly wide?: true;
  /** For code that runs: the command does not name it; a runner loads it. */
  readonly isReached?: true;
  /** For effects on others: no word of the command names the target. */
  readonly isOwn?: true;
  /** The simple command with this effect, at most 160 characters. */
  readonly by: string;
  /** Its index in `Understanding.commands`. Absent: the effect is of an argument of a call. */
  readonly at?: number;
}

/** A word, a program or a construct that was not understood, and in a few words why that matters. */
export interface Unknown {
  readonly word: string;
  readonly why: string;
  /** Confinement does not help: data could still be lost for good or shown to a model. */
  readonly evenConfined?: true;
  /** It may run code that nobody knows. */
  readonly isCode?: true;
}

/** Git knows the file, or leaves it to tools. Excludes files that someone, possibly this run, has put there since. */
export const knownToGit: ReadonlySet<PlaceState> = new Set(['clean', 'changed', 'ignored', 'data']);

export const ignoredByGit: ReadonlySet<PlaceState> = new Set(['ignored', 'data']);
