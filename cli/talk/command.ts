/** The commands of a person as data, and the specification of a command. */

import type {HumanDecision} from '../../machines/domain/human.ts';
import type {ContextMode, SpawnableForm} from '../../machines/domain/interaction-form.ts';
import {type Message, t} from '../../machines/message.ts';
import type {Override} from '../line/command.ts';

interface Payloads {
  /** A new task, or text for the running interaction. */
  readonly say: {readonly text: string};
  /** Without a context mode, the form's default applies. */
  readonly begin: {
    readonly form: SpawnableForm;
    readonly request: string;
    readonly contextMode?: ContextMode;
  };
  /** The task that writes AGENTS.md. */
  readonly init: object;
  readonly replace: {readonly request: string};
  /** A shell command of the person. */
  readonly run: {readonly command: string};
  /** `name`: as typed. */
  readonly set: {readonly name: string; readonly overrides: readonly Override[]};
  /** Shows the value of a setting and its choices. `name`: of the command. */
  readonly setting: {
    readonly name: string;
    readonly key: string;
    readonly choices: readonly string[];
  };
  /** `rest`: a place, a reason, or both. */
  readonly decide: {readonly decision: HumanDecision['decision']; readonly rest: string};
  /** The reply to an interview, with an optional place in front. */
  readonly answer: {readonly text: string; readonly place?: string};
  /** Asks the question of a field again. `name`: of the field, as the person types it. */
  readonly back: {readonly name: string};
  /** Shows all answers of an interview, or that of one field. `name`: empty for all. */
  readonly review: {readonly name: string};
  /** Submits the answers of an interview. */
  readonly submit: object;
  readonly show: Placed;
  readonly diff: Placed;
  readonly undo: Worded;
  /** Rates the result of the last run. */
  readonly rate: {readonly rating: 'up' | 'down'; readonly words: string};
  readonly fork: Worded;
  readonly rewind: Worded;
  readonly export: Worded;
  readonly new: object;
  readonly focus: Placed;
  readonly cancel: Placed;
  readonly sessions: Worded;
  readonly resume: Worded;
  readonly help: Worded;
  readonly tree: object;
  readonly models: object;
  readonly config: object;
  readonly cost: object;
  readonly quit: object;
}

interface Placed {
  /** See {@link isPlace}. */
  readonly place?: string;
}

interface Worded {
  readonly what: string;
}

/** By their kind. */
export type ChatCommands = {
  readonly [K in keyof Payloads]: {readonly kind: K} & Payloads[K];
};

export type ChatCommand = ChatCommands[keyof ChatCommands];

export type Reading<Command = ChatCommand> =
  | {readonly ok: true; readonly command: Command}
  | {readonly ok: false; readonly problem: Message | string};

/** The words that can follow a command, for completion. */
export type Operand = readonly string[] | 'place' | 'gate' | 'ask' | 'run' | 'command';

export interface CommandSpec<Command = ChatCommand> {
  /** The operands as the help shows them. Absent: none. */
  readonly takes?: string;
  /** One line of the help. */
  readonly summary: Message;
  /** Longer text, for `/help COMMAND`. */
  readonly detail?: Message;
  readonly operand?: Operand;
  /** All text after it belongs to it, including line ends. Absent: another command may follow on the line. */
  readonly takesText?: true;
  /** When the help of one run lists it; `interview`: while an interview asks. Those of a gate are listed by its question. */
  readonly inRun?: 'always' | 'interview';
  /** `rest` is trimmed. */
  readonly read: (rest: string) => Reading<Command>;
}

/** By the name without its slash. */
export type CommandTable = Readonly<Record<string, CommandSpec>>;

/** `3`, `3.1`: a root of this conversation, or an interaction below one. */
export function isPlace(text: string): boolean {
  return /^\d{1,6}(?:\.\d{1,6})*$/.test(text);
}

export function readAs(command: ChatCommand): Reading {
  return {ok: true, command};
}

export function misread(problem: Message | string): Extract<Reading, {ok: false}> {
  return {ok: false, problem};
}

/** A command without operands. */
export function bare<const Command>(
  name: string,
  summary: Message,
  command: Command,
): Pick<CommandSpec<Command>, 'summary' | 'read'> {
  const tooMuch: Message = t`/${name} takes nothing after it`;
  return {summary, read: (rest) => (rest === '' ? {ok: true, command} : misread(tooMuch))};
}
