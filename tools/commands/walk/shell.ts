/** Types and functions shared by the parts that follow a shell text. */

import type {Places} from '../acts/places.ts';
import type {Script} from '../grammar/grammar.ts';
import type {Input} from '../program.ts';
import type {SimpleCommand} from '../understanding.ts';
import type {Word} from '../word.ts';
import type {Expander} from '../words/expand.ts';
import type {World} from '../words/world.ts';
import type {Ledger} from './ledger.ts';

/** The position of a command in a text. */
export interface Scope {
  /** The number of enclosing texts, functions and substitutions. */
  readonly depth: number;
  readonly frames: readonly Frame[];
  /** Files and package scripts that are being followed. */
  readonly following: readonly string[];
  readonly isBackground: boolean;
}

/** A loop, a function or a file around a command, with the worlds in which it is left or restarted from within. */
export interface Frame {
  readonly kind: 'loop' | 'function';
  readonly leaps: World[];
  /** For a function: its local names. */
  readonly locals: Set<string>;
}

export function frameOf(kind: Frame['kind']): Frame {
  return {kind, leaps: [], locals: new Set()};
}

/** A command with its words resolved. */
export interface Call {
  readonly name: Word;
  readonly args: readonly Word[];
  readonly env: Readonly<Record<string, Word>>;
  readonly redirects: SimpleCommand['redirects'];
  readonly input: Input;
  /** As written. */
  readonly text: string;
  /** A function of this name is skipped: `command NAME`. */
  readonly isProgram?: true;
}

export interface Shell {
  readonly ledger: Ledger;
  readonly places: Places;
  /** Follows the script in each world; resolves with the worlds after it. Never rejects. */
  readonly run: (
    script: Script,
    worlds: readonly World[],
    scope: Scope,
  ) => Promise<readonly World[]>;
  /** Follows a text. An unreadable part is recorded as not understood, under `name`. */
  readonly runText: (
    text: string,
    name: string,
    world: World,
    scope: Scope,
  ) => Promise<readonly World[]>;
  /** Follows one command. */
  readonly runCall: (call: Call, world: World, scope: Scope) => Promise<readonly World[]>;
  /** `by`: the command to which the words belong. */
  readonly expander: (scope: Scope, by?: string) => Expander;
}

export const maxDepth = 25;

export function deeper(scope: Scope, following?: string): Scope {
  const names = following === undefined ? scope.following : [...scope.following, following];
  return {...scope, depth: scope.depth + 1, following: names};
}

/** In a shell of its own: no leap leaves it. */
export function enclosed(scope: Scope): Scope {
  return {...deeper(scope), frames: []};
}

/** The name of a call in effects and in parts that were not understood. */
export function bylineOf({text}: Call): string {
  return text.slice(0, 160);
}
