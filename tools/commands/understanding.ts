/** The understanding of a command before it runs. */

/** A simple command in any position: in a pipe, a loop, a substitution, a script that is followed. */
export interface SimpleCommand {
  /** Its program without a folder; as written if it is unknown. */
  readonly name: string;
  readonly args: readonly Word[];
  readonly assignments: Readonly<Record<string, Word>>;
  readonly redirects: readonly {readonly operator: string; readonly target: Word}[];
  /** As written. */
  readonly text: string;
  /** Its starting folder, relative to the workspace; undefined when it is unknown or outside. */
  readonly folder: string | undefined;
  /** Its standard input is the output of another command. */
  readonly piped: boolean;
  /** Text that it reads from a here-document or a here-string. */
  readonly input?: string;
}

/** A file or a package script that the command runs, with its content. */
export interface Followed {
  /** `a.sh`, `package.json: test`. */
  readonly name: string;
  /** SHA-256, hex, of the file's content. */
  readonly hash: string;
  /** The script, at most 20,000 characters. */
  readonly text: string;
}

export interface Understanding {
  readonly effects: readonly Effect[];
  /** Empty: everything was understood. */
  readonly unknown: readonly Unknown[];
  readonly followed: readonly Followed[];
  readonly commands: readonly SimpleCommand[];
}

/** The command runs git directly or through a script. */
export function usesGit({commands}: Pick<Understanding, 'commands'>): boolean {
  return commands.some(({name, text}) => name === 'git' || /(?:^|[\s/;&|('"])git\s/.test(text));
}

/**
 * The versions that git would write into the work tree, as ranges for `git diff`. Only for commands that name a single one; others may
 * take any.
 */
export function versionsTaken({commands}: Pick<Understanding, 'commands'>): readonly string[] {
  return commands.flatMap(({name, args}) => {
    const [verb, ...rest] = args.map(({text}) => text);
    const range = name === 'git' ? ranges[verb ?? ''] : undefined;
    const [word, ...more] = rest.filter((text) => !text.startsWith('-'));
    const isPlain = rest.every(
      (text) => !/^(?:--|-[bBcCp]|--(?:create|orphan|patch)|.*\s.*)$/s.test(text),
    );
    return range && word !== undefined && more.length === 0 && isPlain ? [range + word] : [];
  });
}

const ranges: Readonly<Record<string, string>> = {
  checkout: 'HEAD..',
  switch: 'HEAD..',
  merge: 'HEAD...',
};

/** The command has git remove files that it does not track. */
export function removesUntracked({commands}: Pick<Understanding, 'commands'>): boolean {
  return commands.some(
    ({name, args}) => name === 'git' && args.some(({text}) => /^(?:stash|clean)$/.test(text)),
  );
}

// Effects of a command on the world. Policies judge these effects, not the command's words.

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

// A word of a command, after quotes and known variables are resolved.

export interface Word {
  /** Its value; an unknown part appears as written (`src/$f`, `$(date)`). */
  readonly text: string;
  /** Every character of its value is known, except for the matches of a wildcard. */
  readonly known: boolean;
  /** Contains an unquoted wildcard: it stands for any number of places below its fixed beginning. */
  readonly pattern: boolean;
  /** For a word with an unknown part: it is exactly one word after expansion. */
  readonly quoted: boolean;
}

export function wordOf(text: string): Word {
  return {text, known: true, pattern: false, quoted: true};
}
