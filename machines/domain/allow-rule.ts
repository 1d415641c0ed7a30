/** A person's standing word: a command that runs in a folder without anybody being asked about it again. */

import {codeOf, textsAt, type ToolFacts} from './tool-facts.ts';

export interface AllowRule {
  /** Where the command starts: absolute. */
  readonly folder: string;
  /** The whole command; of `prefix` its first words, which any words may follow. */
  readonly command: string;
  readonly match: 'exact' | 'prefix';
  /** SHA-256, hex, of the scripts that the command stood for when it was allowed; absent: it stood for none. */
  readonly basedOn?: string;
}

/** A call that a rule may cover. */
export type AllowSubject = Pick<AllowRule, 'folder' | 'command' | 'basedOn'>;

interface PreviewedCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly facts: ToolFacts | undefined;
  readonly workspace: string;
  readonly basedOn?: string | undefined;
}

/**
 * Undefined for a call that runs no shell command, for one that opens files with credentials, and for one whose folder is not
 * plainly below the workspace.
 */
export function allowSubject(call: PreviewedCall): AllowSubject | undefined {
  const {args, facts, workspace, basedOn} = call;
  const command = facts && codeOf(facts, args, 'shell');
  const folder = folderOf(args[facts?.runs?.folder ?? ''], workspace);
  if (command === undefined || folder === undefined) return undefined;
  if (textsAt(args, facts?.opens).length > 0) return undefined;
  return {folder, command: command.trim(), ...scriptsOf(basedOn)};
}

/** Whether the call runs code that the run wrote, or that git does not know. */
export function runsUnknownCode(basedOn = ''): boolean {
  return basedOn.includes('+');
}

/** Drops the part after `+`, code that a runner loads by itself: the rule covers the runner. */
function scriptsOf(basedOn = ''): Pick<AllowSubject, 'basedOn'> {
  const [scripts = ''] = basedOn.split('+');
  return scripts === '' ? {} : {basedOn: scripts};
}

function folderOf(given: unknown, workspace: string): string | undefined {
  if (given === undefined) return workspace;
  if (typeof given !== 'string' || given.startsWith('/')) return undefined;
  const parts = given.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : [workspace, ...parts].join('/');
}

/** The rule that covers the call: made in this folder, for these scripts, and for this command or its first words. */
export function ruleFor(subject: AllowSubject, rules: readonly AllowRule[]): AllowRule | undefined {
  return rules.find((rule) => rule.basedOn === subject.basedOn && covers(rule, subject));
}

function covers(rule: AllowRule, {folder, command}: AllowSubject): boolean {
  if (rule.folder !== folder) return false;
  return rule.match === 'exact' ? rule.command === command : isPrefix(rule.command, command);
}

/**
 * Whether a call of a plan may be left to a rule: whether it stands for the scripts of the rule shows when it comes, and then
 * it is voted on if it doesn't.
 */
export function isLeftToRule(call: PreviewedCall, rules: readonly AllowRule[]): boolean {
  const subject = allowSubject(call);
  return subject !== undefined && rules.some((rule) => covers(rule, subject));
}

/** No word of it can mean more to a shell than it says: no quotes, wildcards, variables, redirections, second commands. */
const plainWords = /^[\w@%+:,./][\w@%+:,./-]*(?: +[\w@%+:,./=-]+)*$/;

/** Fewer words would allow a program, whatever it is told to do. */
const minPrefixWords = 2;

function isPrefix(prefix: string, command: string): boolean {
  const words = wordsOf(prefix);
  return (
    plainWords.test(prefix) &&
    plainWords.test(command) &&
    words.length >= minPrefixWords &&
    words.every((word, index) => wordsOf(command)[index] === word)
  );
}

function wordsOf(command: string): string[] {
  return command.split(/ +/);
}

/** `prefix` absent: exactly this command. `problem`: why these words can't stand for it. */
export function readAllowRule(
  subject: AllowSubject,
  prefix?: string,
): {readonly ok: true; readonly rule: AllowRule} | {readonly ok: false; readonly problem: string} {
  if (prefix === undefined) return {ok: true, rule: {...subject, match: 'exact'}};
  const command = prefix.trim().replaceAll(/ +/g, ' ');
  if (isPrefix(command, subject.command)) {
    return {ok: true, rule: {...subject, command, match: 'prefix'}};
  }
  const problem = plainWords.test(subject.command)
    ? `a prefix is the first ${minPrefixWords} words of the command or more, word for word: ${subject.command}`
    : 'the command is not made of plain words, so it can be allowed only as it is, without a prefix';
  return {ok: false, problem};
}

/** `npm run deploy`, or `npm run deploy …` where any words may follow. */
export function allowedText({command, match}: AllowRule): string {
  return match === 'exact' ? command : `${command} …`;
}
