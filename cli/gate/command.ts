/** Reads a line at the gate, strictly: a decision is a whole command, never a single key. */

import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';
import {isQuestion, isSentence} from '../line/question.ts';

export type GateCommand =
  | {readonly kind: 'decision'; readonly decision: HumanDecision['decision']; readonly rest: string}
  | {readonly kind: 'show' | 'help' | 'quit' | 'empty'}
  | {readonly kind: 'unknown'; readonly problem: string};

const plainCommands = {show: 'show', help: 'help', quit: 'quit'} as const;

export function readGateCommand(
  line: string,
  {allowed}: Pick<HumanQuestion, 'allowed'>,
  reader: Reader = {},
): GateCommand {
  const text = line.trim();
  if (text === '') return {kind: 'empty'};
  const [, name = '', rest = ''] = /^\/([a-z-]+)(?:\s+(.*))?$/s.exec(text) ?? [];
  if (name === '') return readWords(text, allowed, reader);
  const decision = allowed.find((candidate) => candidate === name);
  if (decision) return readDecision(decision, rest.trim(), reader);
  if (isPlain(name)) return rest === '' ? {kind: plainCommands[name]} : tooMuch(name, reader);
  return noCommand(name, nearest(name, gateCommandNames({allowed})), reader);
}

function readWords(text: string, allowed: HumanQuestion['allowed'], reader: Reader): GateCommand {
  return isRevision(text, allowed)
    ? {kind: 'decision', decision: 'revise', rest: text}
    : {kind: 'unknown', problem: say(t`a command begins with a slash`, reader)};
}

/** A sentence without a command says what should be different. A question changes nothing. */
export function isRevision(text: string, allowed: HumanQuestion['allowed']): boolean {
  return allowed.includes('revise') && isSentence(text) && !isQuestion(text);
}

function noCommand(name: string, near: string | undefined, reader: Reader): GateCommand {
  const hint = near === undefined ? '' : say(t`; did you mean /${near}?{:gate}`, reader);
  return {kind: 'unknown', problem: `${say(t`/${name} is not a command here`, reader)}${hint}`};
}

export function gateCommandNames({allowed}: Pick<HumanQuestion, 'allowed'>): readonly string[] {
  return [...allowed, ...Object.keys(plainCommands)];
}

function readDecision(
  decision: HumanDecision['decision'],
  rest: string,
  reader: Reader,
): GateCommand {
  if (rest !== '' && !takesWords(decision)) return tooMuch(decision, reader);
  if (rest === '' && decision === 'revise')
    return {
      kind: 'unknown',
      problem: say(t`/revise needs words: what should be different`, reader),
    };
  return {kind: 'decision', decision, rest};
}

/** The decision takes a reason, with `always` the first words of a command, with `revise` what should be different. */
export function takesWords(decision: HumanDecision['decision']): boolean {
  return ['approve', 'reject', 'edit', 'revise', 'always'].includes(decision);
}

function tooMuch(name: string, reader: Reader): GateCommand {
  return {kind: 'unknown', problem: say(t`/${name} takes nothing after it`, reader)};
}

function isPlain(name: string): name is keyof typeof plainCommands {
  return Object.hasOwn(plainCommands, name);
}
