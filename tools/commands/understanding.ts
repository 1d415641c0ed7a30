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
  readonly background: boolean;
  /** Text that it reads from a here-document or a here-string. */
  readonly input?: string;
  /** It runs the tests of the workspace. */
  readonly isTest: boolean;
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

/** The command has git remove files that it does not track. */
export function removesUntracked({commands}: Pick<Understanding, 'commands'>): boolean {
  return commands.some(
    ({name, args}) => name === 'git' && args.some(({text}) => /^(?:stash|clean)$/.test(text)),
  );
}
