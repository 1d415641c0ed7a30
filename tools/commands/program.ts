/**
 * The types of the table of known programs. Its data are the text files of `programs/`, where the roles are described.
 *
 *     {name: 'head', options: '-c|--bytes=text -n|--lines=text -q -v -z --help --version', operands: 'reads*'}
 *
 * An option that an entry does not list is not understood (GNU's abbreviations included), nor is an operand too many.
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

/** What a program does with a word, before anybody has looked at the world. */
export interface Act {
  readonly role: Role;
  readonly word: Word;
  /** Of `command`, `package-script` and `package-command`: the words after it. */
  readonly rest?: readonly Word[];
  /** Of `make-targets`: what holds where they can't be followed. */
  readonly otherwise?: Reading;
  /** Of a target: where it is a folder, these are what is put into it, by their last parts (`cp a b folder`). */
  readonly into?: readonly Word[];
  /** Of `command`: variables that are set for it (`env CI=1 npm test`). */
  readonly env?: Readonly<Record<string, Word>>;
  /** Where the word is relative to, in place of the folder in which the command starts (`git -C`, `tar -C`, `npm --prefix`). */
  readonly from?: Word;
  /** Of `links`: where the links lead, as they are written; from the folder of the command, or from their own. */
  readonly leadsTo?: {readonly words: readonly Word[]; readonly isFromHere: boolean};
  /** As in an effect. */
  readonly isOwn?: true;
  /** Of `fetches` and `sends`: words that may go there beside the address. */
  readonly along?: readonly Word[];
}

export interface Reading {
  readonly acts: readonly Act[];
  /** Empty: all of it was understood. */
  readonly unknown: readonly Unknown[];
  /** It runs the tests of the workspace. */
  readonly isTest?: true;
}

/** The words of a call, told apart by what the entry says of options. */
export interface Arguments {
  /** In the order in which they are given; names with their dashes (`-n`, `--lines`). */
  readonly options: readonly {readonly name: string; readonly value?: Word}[];
  readonly operands: readonly Word[];
}

/**
 * What a program reads from its standard input: the text of a here-document, or something (`pipe`), or something without an
 * end, or what its caller reads.
 */
export type Input = Word | 'pipe' | 'endless' | 'inherited';

/** A program as it is called. */
export interface Invocation {
  /** Without its folder. */
  readonly name: string;
  readonly args: readonly Word[];
  /** Variables that are set for it: `CI=1 npm test`. Those that make programs run others can't be judged, whoever they are set for. */
  readonly env: Readonly<Record<string, Word>>;
  readonly input: Input;
}

export interface Program {
  readonly name: string | readonly string[];
  /**
   * Space-separated: `-q`, `--quiet` take no value; `-n=ROLE`, `--lines=ROLE` take one (`-n 3`, `-n3`, `--lines=3`, `--lines 3`);
   * `--color=?text` has one only when it is attached. `-n|--lines=ROLE` is both;
   * `--arg=ROLE,ROLE` takes two words. Short flags cluster (`-rf`), unless `style`
   * says otherwise. `-NUM`: a number for an option (`-5`). `-C=from`: the folder that all its places are relative to. Programs
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
  /** Whatever its arguments are: `runs=the tests`, `alters=containers`, space-separated, `_` for a blank. */
  readonly does?: string;
  /**
   * What holds in place of the above when one of these options (space-separated) is given: `{'--write': {operands: 'edits*'}}`.
   * `''`: when there is no operand. The first that fits.
   */
  readonly when?: Readonly<
    Record<string, {readonly operands?: string; readonly does?: string; readonly isTest?: boolean}>
  >;
  /**
   * By the first operand, after the options above: `git status`. Names of one entry are space-separated. A missing one without an
   * entry `''` is not understood.
   */
  readonly subcommands?: Readonly<Record<string, Omit<Program, 'name'>>>;
  /**
   * What the data above can't say. It gets what they say, and returns what holds. Of a subcommand, `call.args` are the words after
   * its name. Pure; must not throw.
   */
  readonly refine?: Refine;
  /** Options (space-separated) with which it reads no more than it is told, of `/dev/urandom` too; `*`: always. */
  readonly bounded?: string;
  /** It runs the tests of the workspace, as evidence counts it. */
  readonly isTest?: true;
}

export type Refine = (reading: Reading, call: Invocation, given: Arguments) => Reading;

/** By the names that the text files of `programs/` use. */
export type Refinements = Readonly<Record<string, Refine>>;
