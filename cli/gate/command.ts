/** Reads a line at the gate, strictly: a decision is a whole command, never a single key. */

import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';

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
  if (name === '') return {kind: 'unknown', problem: say(t`a command begins with a slash`, reader)};
  const decision = allowed.find((candidate) => candidate === name);
  if (decision) return readDecision(decision, rest.trim(), reader);
  if (isPlain(name)) return rest === '' ? {kind: plainCommands[name]} : tooMuch(name, reader);
  return noCommand(name, nearest(name, gateCommandNames({allowed})), reader);
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
  return {kind: 'decision', decision, rest};
}

/** The decision takes a reason, with `always` the first words of a command. */
export function takesWords(decision: HumanDecision['decision']): boolean {
  return ['approve', 'reject', 'edit', 'always'].includes(decision);
}

function tooMuch(name: string, reader: Reader): GateCommand {
  return {kind: 'unknown', problem: say(t`/${name} takes nothing after it`, reader)};
}

function isPlain(name: string): name is keyof typeof plainCommands {
  return Object.hasOwn(plainCommands, name);
}
