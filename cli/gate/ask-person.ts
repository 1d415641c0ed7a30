/** Asks a person to decide at a gate: shows the screen, reads commands until one of them decides or puts it off. */

import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import {styleFor} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import {heightOf, widthOf, type Environment, type Input, type Output} from '../terminal.ts';
import {readGateCommand, type GateCommand} from './command.ts';
import {decide, ending, showWhole, type GateAnswer, type GateDesk} from './decide.ts';
import {askLine} from './line-input.ts';
import {commandLines, screenLines} from './screen.ts';

export interface GateIo {
  readonly input: Input;
  readonly output: Output;
  readonly env: Environment;
  /** Absolute: the folder that it is about. */
  readonly workspace: string;
  /** What an edited plan may use. */
  readonly tools: () => Promise<readonly ToolInfo[]>;
  /** Aborted when the question no longer stands. */
  readonly signal: AbortSignal;
}

const prompt = 'agent-hil> ';

/** Input and output must be terminals. Never rejects. */
export async function askPerson(question: HumanQuestion, io: GateIo): Promise<GateAnswer> {
  const {input, output, env, signal, tools} = io;
  const desk: GateDesk = {
    question,
    env,
    tools,
    signal,
    style: styleFor(output, env),
    size: () => ({width: widthOf(output), height: heightOf(output)}),
    print: (lines) => output.write(lines.map((line) => `${line}\n`).join('')),
    ask: (text) => askLine(text, {input, output, signal}),
    aside: async (work) => await work(),
  };
  desk.print(screenLines(question, io.workspace, desk.style, desk.size()));
  return askUntilAnswered(desk);
}

async function askUntilAnswered(desk: GateDesk): Promise<GateAnswer> {
  const line = await desk.ask(prompt);
  if (line.kind !== 'line') return ending(line);
  const answer = await obey(readGateCommand(line.text, desk.question), desk);
  return answer ?? askUntilAnswered(desk);
}

/** Resolves with undefined when the question has to be asked again. */
async function obey(command: GateCommand, desk: GateDesk): Promise<GateAnswer | undefined> {
  if (command.kind === 'decision') return decide(command, desk);
  if (command.kind === 'quit') return {kind: 'suspended', why: 'waiting'};
  if (command.kind === 'show') return showWhole(desk);
  if (command.kind !== 'empty') desk.print(helpLines(command, desk));
  return undefined;
}

function helpLines(command: GateCommand, {question, style, size}: GateDesk): string[] {
  const problem =
    command.kind === 'unknown' ? [style.yellow(oneLine(command.problem, size().width))] : [];
  return [...problem, ...commandLines(question)];
}
