/** Performs a line at a gate: it decides, shows more, postpones the decision, or prints the commands. */

import {oneLine} from '../render/text.ts';
import {readGateCommand, type GateCommand} from './command.ts';
import {decide, showWhole, type GateAnswer, type GatePrompter} from './decide.ts';
import {commandLines} from './screen.ts';

/** Resolves with undefined when the question stays open. Never rejects. */
export async function obeyAtGate(
  line: string,
  desk: GatePrompter,
): Promise<GateAnswer | undefined> {
  const command = readGateCommand(line, desk.question, desk.style);
  if (command.kind === 'decision') return await decide(command, desk);
  if (command.kind === 'quit') return {kind: 'suspended', why: 'waiting'};
  if (command.kind === 'show') return await showWhole(desk);
  if (command.kind !== 'empty') desk.print(helpLines(command, desk));
  return undefined;
}

function helpLines(command: GateCommand, {question, style, size}: GatePrompter): string[] {
  const problem =
    command.kind === 'unknown' ? [style.yellow(oneLine(command.problem, size().width))] : [];
  return [...problem, ...commandLines(question, style)];
}
