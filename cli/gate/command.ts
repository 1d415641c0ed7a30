/** Reads a line at the gate, strictly: a decision is a whole command, never a single key. */

import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {nearest} from '../../machines/domain/nearest.ts';

export type GateCommand =
  | {readonly kind: 'decision'; readonly decision: HumanDecision['decision']; readonly rest: string}
  | {readonly kind: 'show' | 'help' | 'quit' | 'empty'}
  | {readonly kind: 'unknown'; readonly problem: string};

const plainCommands = {show: 'show', help: 'help', quit: 'quit'} as const;

export function readGateCommand(
  line: string,
  {allowed}: Pick<HumanQuestion, 'allowed'>,
): GateCommand {
  const text = line.trim();
  if (text === '') return {kind: 'empty'};
  const [, name = '', rest = ''] = /^\/([a-z-]+)(?:\s+(.*))?$/s.exec(text) ?? [];
  if (name === '') return {kind: 'unknown', problem: 'a command begins with a slash'};
  const decision = allowed.find((candidate) => candidate === name);
  if (decision) return readDecision(decision, rest.trim());
  if (isPlain(name)) return rest === '' ? {kind: plainCommands[name]} : tooMuch(name);
  const near = nearest(name, gateCommandNames({allowed}));
  const hint = near === undefined ? '' : `; did you mean /${near}?`;
  return {kind: 'unknown', problem: `/${name} is no command here${hint}`};
}

export function gateCommandNames({allowed}: Pick<HumanQuestion, 'allowed'>): readonly string[] {
  return [...allowed, ...Object.keys(plainCommands)];
}

function readDecision(decision: HumanDecision['decision'], rest: string): GateCommand {
  if (rest !== '' && !takesWords(decision)) return tooMuch(decision);
  return {kind: 'decision', decision, rest};
}

/** The decision takes a reason, or with `always` the first words of a command. */
export function takesWords(decision: HumanDecision['decision']): boolean {
  return ['approve', 'reject', 'edit', 'always'].includes(decision);
}

function tooMuch(name: string): GateCommand {
  return {kind: 'unknown', problem: `/${name} takes nothing after it`};
}

function isPlain(name: string): name is keyof typeof plainCommands {
  return Object.hasOwn(plainCommands, name);
}
