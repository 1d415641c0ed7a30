/** Reads a line at the gate, strictly: a decision is a whole command, never a single key. */

import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import type {Reader} from '../language.ts';
import {gateTexts, type GateTexts} from './texts.ts';

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
  const texts = gateTexts(reader);
  const text = line.trim();
  if (text === '') return {kind: 'empty'};
  const [, name = '', rest = ''] = /^\/([a-z-]+)(?:\s+(.*))?$/s.exec(text) ?? [];
  if (name === '') return {kind: 'unknown', problem: texts.needsSlash};
  const decision = allowed.find((candidate) => candidate === name);
  if (decision) return readDecision(decision, rest.trim(), texts);
  if (isPlain(name)) return rest === '' ? {kind: plainCommands[name]} : tooMuch(name, texts);
  return noCommand(name, nearest(name, gateCommandNames({allowed})), texts);
}

function noCommand(name: string, near: string | undefined, texts: GateTexts): GateCommand {
  const hint = near === undefined ? '' : texts.near(near);
  return {kind: 'unknown', problem: `${texts.noCommand(name)}${hint}`};
}

export function gateCommandNames({allowed}: Pick<HumanQuestion, 'allowed'>): readonly string[] {
  return [...allowed, ...Object.keys(plainCommands)];
}

function readDecision(
  decision: HumanDecision['decision'],
  rest: string,
  texts: GateTexts,
): GateCommand {
  if (rest !== '' && !takesWords(decision)) return tooMuch(decision, texts);
  return {kind: 'decision', decision, rest};
}

/** The decision takes a reason, with `always` the first words of a command. */
export function takesWords(decision: HumanDecision['decision']): boolean {
  return ['approve', 'reject', 'edit', 'always'].includes(decision);
}

function tooMuch(name: string, texts: GateTexts): GateCommand {
  return {kind: 'unknown', problem: texts.tooMuch(name)};
}

function isPlain(name: string): name is keyof typeof plainCommands {
  return Object.hasOwn(plainCommands, name);
}
