/**
 * The types of the table of known programs. Its data are the text files of `programs/`, whose README describes the roles.
 *
 *     {name: 'head', options: '-c|--bytes=text -n|--lines=text -q -v -z --help --version', operands: 'reads*'}
 *
 * An option that an entry does not list (including GNU's abbreviations) and a superfluous operand are not understood.
 */

import type {EffectKind, Unknown} from './effect.ts';
import type {Word} from './word.ts';

/** The meaning of a word to a program; see `programs/README.md`. */
export type Role =
  | EffectKind
  | 'reads-tree'
  | 'deletes-tree'
  | 'edits-tree'
  | 'writes-tree'
  | 'moves-tree'
  | 'text'
  | 'local'
  | 'command'
  | 'shell'
  | 'script'
  | 'code'
  | 'loads'
  | 'modules'
  | 'links'
  | 'package-script'
  | 'package-command'
  | 'make-targets'
  | 'restores'
  | 'amends'
  | 'repository'
  | 'unjudged';

/** A program's use of a word, before anything is looked at in the file system. */
export interface Act {
  readonly role: Role;
  readonly word: Word;
  /** For `command`, `package-script` and `package-command`: the words after it. */
  readonly rest?: readonly Word[];
  /** For `make-targets`: the reading that applies when they can't be followed. */
  readonly otherwise?: Reading;
  /** For a target: if it is a folder, these are put into it, under their last names (`cp a b folder`). */
  readonly into?: readonly Word[];
  /** For `command`: variables that are set for it (`env CI=1 npm test`). */
  readonly env?: Readonly<Record<string, Word>>;
  /** The folder to which the word is relative, if not the starting folder of the command (`git -C`, `tar -C`, `npm --prefix`). */
  readonly from?: Word;
  /** For `links`: the targets of the links as written; relative to the command's folder, or to the link's own. */
  readonly leadsTo?: {readonly words: readonly Word[]; readonly isFromHere: boolean};
  /** As in an effect. */
  readonly isOwn?: true;
  /** For `fetches` and `sends`: words that may be sent besides the address. */
  readonly along?: readonly Word[];
}

export interface Reading {
  readonly acts: readonly Act[];
  /** Empty: everything was understood. */
  readonly unknown: readonly Unknown[];
  /** It runs the tests of the workspace. */
  readonly isTest?: true;
}

/** The words of a call, separated according to the options of the entry. */
export interface Arguments {
  /** In the given order; names with their dashes (`-n`, `--lines`). */
  readonly options: readonly {readonly name: string; readonly value?: Word}[];
  readonly operands: readonly Word[];
}

/**
 * The standard input of a program: the text of a here-document, unknown data (`pipe`), unknown data without an
 * end, or the standard input of its caller.
 */
export type Input = Word | 'pipe' | 'endless' | 'inherited';

/** A program as it is called. */
export interface Invocation {
  /** Without its folder. */
  readonly name: string;
  readonly args: readonly Word[];
  /** Variables that are set for it: `CI=1 npm test`. Variables that make programs run others can't be judged in any call. */
  readonly env: Readonly<Record<string, Word>>;
  readonly input: Input;
}

export interface Program {
  readonly name: string | readonly string[];
  /**
   * Space-separated: `-q`, `--quiet` take no value; `-n=ROLE`, `--lines=ROLE` take one (`-n 3`, `-n3`, `--lines=3`, `--lines 3`);
   * `--color=?text` has one only when it is attached. `-n|--lines=ROLE` is both;
   * `--arg=ROLE,ROLE` takes two words. Short flags cluster (`-rf`), unless `style`
   * says otherwise. `-NUM`: a number as an option (`-5`). `-C=from`: the folder to which all its places are relative. Programs
   * that take any option: `*`.
   */
  readonly options?: string;
  /** `gnu` (default): options anywhere until `--`. `posix`: before the first operand only. `single`: `-name VALUE`, `-name=VALUE`, never clustered. */
  readonly style?: 'gnu' | 'posix' | 'single';
  /**
   * Roles of the operands, space-separated: `text reads*` (a pattern, then files), `reads* writes` (the last one is the target).
   * `?`: one or none; `*`: any number; `+`: one or more. Absent: it takes none. `command` takes all that follow. `reads -` is the
   * standard input.
   */
  readonly operands?: string;
  /** Effects for any arguments: `runs=the tests`, `alters=containers`, space-separated, `_` for a blank. */
  readonly does?: string;
  /**
   * Data that replaces the above when one of these options (space-separated) is given: `{'--write': {operands: 'edits*'}}`.
   * `''`: when there is no operand. The first match applies.
   */
  readonly when?: Readonly<
    Record<string, {readonly operands?: string; readonly does?: string; readonly isTest?: boolean}>
  >;
  /**
   * Entries by the first operand after the options above: `git status`. The names of one entry are space-separated. A call without a
   * subcommand is not understood unless there is an entry `''`.
   */
  readonly subcommands?: Readonly<Record<string, Omit<Program, 'name'>>>;
  /**
   * For effects that the data above can't express. It receives their reading and returns the final one. For a subcommand, `call.args` are the
   * words after its name. Pure; must not throw.
   */
  readonly refine?: Refine;
  /** Options (space-separated) that limit how much it reads, even from `/dev/urandom`; `*`: always limited. */
  readonly bounded?: string;
  /** It runs the tests of the workspace and counts as test evidence. */
  readonly isTest?: true;
}

export type Refine = (reading: Reading, call: Invocation, given: Arguments) => Reading;

/** By the names that the text files of `programs/` use. */
export type Refinements = Readonly<Record<string, Refine>>;
