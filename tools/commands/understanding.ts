/** The understanding of a command before it runs. */

import type {Effect, Unknown} from './effect.ts';
import type {Word} from './word.ts';

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
