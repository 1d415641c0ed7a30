/** Performs a line at a gate: it decides, shows more, postpones the decision, or prints the commands. */

import {oneLine} from '../render/text.ts';
import {readGateCommand, type GateCommand} from './command.ts';
import {decide, showWhole, type GateAnswer, type GatePrompter} from './decide.ts';
import {commandLines} from './screen.ts';

/** Resolves with undefined when the question stays open. Never rejects. */
export async function obeyAtGate(
  line: string,
  prompter: GatePrompter,
): Promise<GateAnswer | undefined> {
  const command = readGateCommand(line, prompter.question, prompter.style);
  if (command.kind === 'decision') return await decide(command, prompter);
  if (command.kind === 'quit') return {kind: 'suspended', why: 'waiting'};
  if (command.kind === 'show') return await showWhole(prompter);
  if (command.kind !== 'empty') prompter.print(helpLines(command, prompter));
  return undefined;
}

function helpLines(command: GateCommand, {question, style, size}: GatePrompter): string[] {
  const problem =
    command.kind === 'unknown' ? [style.yellow(oneLine(command.problem, size().width))] : [];
  return [...problem, ...commandLines(question, style)];
}
