/** Asks a person to decide at a gate: shows the screen, reads commands until one of them decides or puts it off. */

import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import {styleFor} from '../lines/style.ts';
import {oneLine} from '../lines/text.ts';
import {heightOf, widthOf, type Environment, type Input, type Output} from '../terminal.ts';
import {readGateCommand, type GateCommand} from './command.ts';
import {createPlanEditor, type PlanEditor} from './editor.ts';
import {askLine, type Line} from './line-input.ts';
import {page, type PagerIo} from './pager.ts';
import {commandLines, screenLines} from './screen.ts';

export type GateAnswer =
  | {readonly kind: 'decided'; readonly decision: HumanDecision}
  /** Put off: Ctrl-D and /quit leave the question waiting, Ctrl-C interrupts the run. */
  | {readonly kind: 'suspended'; readonly why: 'waiting' | 'interrupted'}
  /** The question was settled elsewhere, or the run is over. */
  | {readonly kind: 'withdrawn'};

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

interface Desk extends PagerIo {
  readonly question: HumanQuestion;
  readonly io: GateIo;
}

const prompt = 'agent-hil> ';

/** Input and output must be terminals. Never rejects. */
export async function askPerson(question: HumanQuestion, io: GateIo): Promise<GateAnswer> {
  const {input, output, env, signal} = io;
  const desk: Desk = {
    question,
    io,
    style: styleFor(output, env),
    size: () => ({width: widthOf(output), height: heightOf(output)}),
    print: (lines) => output.write(lines.map((line) => `${line}\n`).join('')),
    ask: (text) => askLine(text, {input, output, signal}),
  };
  desk.print(screenLines(question, io.workspace, desk.style, desk.size()));
  return askUntilAnswered(desk);
}

async function askUntilAnswered(desk: Desk): Promise<GateAnswer> {
  const line = await desk.ask(prompt);
  if (line.kind !== 'line') return ending(line);
  const answer = await obey(readGateCommand(line.text, desk.question), desk);
  return answer ?? askUntilAnswered(desk);
}

/** Resolves with undefined when the question has to be asked again. */
async function obey(command: GateCommand, desk: Desk): Promise<GateAnswer | undefined> {
  if (command.kind === 'decision') return decide(command, desk);
  if (command.kind === 'quit') return {kind: 'suspended', why: 'waiting'};
  if (command.kind === 'show') return endingOf(await page(wholeOf(desk.question), desk));
  if (command.kind !== 'empty') desk.print(helpLines(command, desk));
  return undefined;
}

function helpLines(command: GateCommand, {question, style, size}: Desk): string[] {
  const problem =
    command.kind === 'unknown' ? [style.yellow(oneLine(command.problem, size().width))] : [];
  return [...problem, ...commandLines(question)];
}

async function decide(
  {decision, rest}: Extract<GateCommand, {kind: 'decision'}>,
  desk: Desk,
): Promise<GateAnswer | undefined> {
  if (decision === 'edit') return edit(desk);
  if (decision === 'reject' && rest !== '') {
    return {kind: 'decided', decision: {decision, reason: rest}};
  }
  return {kind: 'decided', decision: {decision}};
}

async function edit(desk: Desk): Promise<GateAnswer | undefined> {
  const {plan} = desk.question;
  if (!plan) {
    desk.print([desk.style.yellow('there is no plan to edit here')]);
    return undefined;
  }
  const editor = createPlanEditor(plan, await desk.io.tools(), desk.io);
  try {
    return await editUntilValid(editor, desk);
  } finally {
    editor.close();
  }
}

async function editUntilValid(editor: PlanEditor, desk: Desk): Promise<GateAnswer | undefined> {
  const outcome = await editor.edit();
  if (outcome.kind === 'edited') return edited(outcome.plan);
  if (outcome.kind === 'unchanged') {
    desk.print(['The plan is unchanged: /approve runs it as it is.']);
    return undefined;
  }
  if (outcome.kind === 'failed') {
    desk.print([desk.style.yellow(oneLine(outcome.message))]);
    return undefined;
  }
  desk.print([
    desk.style.yellow('The plan is not valid:'),
    ...outcome.problems.map((problem) => `  ${oneLine(problem, 1000)}`),
  ]);
  const again = await desk.ask('Edit it again? [Y/n] ');
  if (again.kind !== 'line') return ending(again);
  return isYes(again.text) ? editUntilValid(editor, desk) : undefined;
}

/** Enter is a yes, as the capital letter of the question says; anything else but a yes is none. */
function isYes(text: string): boolean {
  return ['', 'y', 'yes'].includes(text.trim().toLowerCase());
}

function edited(plan: Plan): GateAnswer {
  return {kind: 'decided', decision: {decision: 'edit', plan: asJson(plan)}};
}

/** All that the decision covers, for the pager. */
function wholeOf({plan, preview, proposalHash}: HumanQuestion): string {
  return [
    ...(plan ? [JSON.stringify(plan, undefined, 2)] : []),
    ...(preview === undefined ? [] : [preview]),
    `sha256 ${proposalHash}`,
  ].join('\n');
}

function endingOf(line: Line): GateAnswer | undefined {
  return line.kind === 'line' ? undefined : ending(line);
}

function ending(line: Exclude<Line, {kind: 'line'}>): GateAnswer {
  if (line.kind === 'withdrawn') return {kind: 'withdrawn'};
  return {kind: 'suspended', why: line.kind === 'interrupt' ? 'interrupted' : 'waiting'};
}
