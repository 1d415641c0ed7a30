/** A person's standing permission: a command that may run in a folder without a further question. */

import {codeOf, folderOf, textsAt, type ToolFacts} from './tool-facts.ts';

export interface AllowRule {
  /** Where the command starts: absolute. */
  readonly folder: string;
  /** The whole command; with `prefix`, its first words, which any words may follow. */
  readonly command: string;
  readonly match: 'exact' | 'prefix';
  /** SHA-256, hex, of the scripts that the command ran when it was allowed; absent: it ran none. */
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
  const folder = folderOfCall(folderOf(facts ?? {}, args), workspace);
  if (command === undefined || folder === undefined) return undefined;
  if (textsAt(args, facts?.opens).length > 0) return undefined;
  return {folder, command: command.trim(), ...scriptsOfCall(basedOn)};
}

/** True if the call runs code that the run wrote, or that git does not track. */
export function runsUnknownCode(basedOn = ''): boolean {
  return basedOn.includes('+');
}

/** Drops the part after `+`, code that a runner loads by itself: the rule covers the runner. */
function scriptsOfCall(basedOn = ''): Pick<AllowSubject, 'basedOn'> {
  const [scripts = ''] = basedOn.split('+');
  return scripts === '' ? {} : {basedOn: scripts};
}

function folderOfCall(given: unknown, workspace: string): string | undefined {
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
 * True if the vote on a plan may leave this call to a rule. The scripts are compared only when the call is made; if they
 * differ from those of the rule, the call gets a vote of its own.
 */
export function isLeftToRule(call: PreviewedCall, rules: readonly AllowRule[]): boolean {
  const subject = allowSubject(call);
  return subject !== undefined && rules.some((rule) => covers(rule, subject));
}

/** Words without a special meaning to a shell: no quotes, wildcards, variables, redirections or second commands. */
const plainWords = /^[\w@%+:,./][\w@%+:,./-]*(?: +[\w@%+:,./=-]+)*$/;

/** A prefix of fewer words would allow a program with any arguments. */
const minPrefixWords = 2;

function isPrefix(prefix: string, command: string): boolean {
  const words = wordsInCommand(prefix);
  return (
    plainWords.test(prefix) &&
    plainWords.test(command) &&
    words.length >= minPrefixWords &&
    words.every((word, index) => wordsInCommand(command)[index] === word)
  );
}

function wordsInCommand(command: string): string[] {
  return command.split(/ +/);
}

/** `prefix` absent: exactly this command. `problem`: why the prefix does not fit the command. */
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
