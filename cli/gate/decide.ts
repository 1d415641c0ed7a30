/** Turns a command at a gate into a decision: a person may first edit the plan, or read all of it. */

import {readAllowRule} from '../../machines/domain/allow-rule.ts';
import {type HumanDecision, type HumanQuestion, isApproval} from '../../machines/domain/human.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import {t} from '../../machines/message.ts';
import {type Reader, say} from '../language.ts';
import {diffRows} from '../render/diff.ts';
import type {ScreenSize, Style} from '../render/style.ts';
import {escapedLines, oneLine} from '../render/text.ts';
import type {Environment} from '../terminal.ts';
import {isYes} from '../terminal/confirm.ts';
import type {Line} from '../terminal/line-editor.ts';
import {type GateCommand, readGateCommand} from './command.ts';
import {type PlanEditor, createPlanEditor} from './editor.ts';
import type {OpenGates} from './open-gates.ts';
import {commandLines} from './screen.ts';

export type GateAnswer =
  | {readonly kind: 'decided'; readonly decision: HumanDecision}
  /** Postponed: Ctrl-D and /quit leave the question waiting, Ctrl-C interrupts the run. */
  | {readonly kind: 'suspended'; readonly why: 'waiting' | 'interrupted'}
  /** The question was settled elsewhere, or the run is over. */
  | {readonly kind: 'withdrawn'};

/** The parts needed to decide on one question. */
export interface GatePrompter extends PagerIo {
  readonly question: HumanQuestion;
  readonly env: Environment;
  /** The tools that an edited plan may use. */
  readonly tools: () => Promise<readonly ToolInfo[]>;
  /** Aborted when the question was settled elsewhere. */
  readonly signal: AbortSignal;
  /** Leaves the terminal to another program while `work` runs. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Resolves with undefined when the question must be asked again. Never rejects. */
export async function decide(
  {decision, rest}: Extract<GateCommand, {kind: 'decision'}>,
  prompter: GatePrompter,
): Promise<GateAnswer | undefined> {
  const why = rest === '' ? {} : {reason: rest};
  if (decision === 'edit') return edit(prompter, why);
  if (decision === 'always' && rest !== '') return allowAll(rest, prompter);
  if (decision === 'revise') return {kind: 'decided', decision: {decision, reason: rest}};
  return {kind: 'decided', decision: {decision, ...why}};
}

interface Why {
  readonly reason?: string;
}

/** A prefix allows more than the shown command, so it must be confirmed with the full wording. */
async function allowAll(words: string, prompter: GatePrompter): Promise<GateAnswer | undefined> {
  const {lasting} = prompter.question;
  const reading = lasting && readAllowRule(lasting, words);
  if (!reading?.ok) {
    prompter.print([
      prompter.style.yellow(
        oneLine(reading?.problem ?? say(t`there is nothing to allow here`, prompter.style)),
      ),
    ]);
    return undefined;
  }
  const {rule} = reading;
  const answer = await prompter.ask(
    say(
      t`Allow every command that begins with "${oneLine(rule.command)}" in ${oneLine(rule.folder)} without asking? [y/N] `,
      prompter.style,
    ),
  );
  if (answer.kind !== 'line') return unansweredGate(answer);
  if (!isYes(answer.text)) return undefined;
  return {kind: 'decided', decision: {decision: 'always', prefix: rule.command}};
}

async function edit(prompter: GatePrompter, why: Why): Promise<GateAnswer | undefined> {
  const {plan} = prompter.question;
  if (!plan) {
    prompter.print([prompter.style.yellow(say(t`there is no plan to edit here`, prompter.style))]);
    return undefined;
  }
  const editor = createPlanEditor(plan, await prompter.tools(), prompter);
  try {
    return await editUntilValid(editor, prompter, why);
  } finally {
    editor.close();
  }
}

async function editUntilValid(
  editor: PlanEditor,
  prompter: GatePrompter,
  why: Why,
): Promise<GateAnswer | undefined> {
  const outcome = await prompter.aside(editor.edit);
  if (outcome.kind === 'edited') return edited(outcome.plan, why);
  if (outcome.kind === 'unchanged') {
    prompter.print([say(t`The plan is unchanged: /approve runs it as it is.`, prompter.style)]);
    return undefined;
  }
  if (outcome.kind === 'failed') {
    prompter.print([prompter.style.yellow(oneLine(outcome.message))]);
    return undefined;
  }
  prompter.print([
    prompter.style.yellow(say(t`The plan is not valid:`, prompter.style)),
    ...outcome.problems.map((problem) => `  ${oneLine(problem, 1000)}`),
  ]);
  const again = await prompter.ask(say(t`Edit it again? [Y/n] `, prompter.style));
  if (again.kind !== 'line') return unansweredGate(again);
  const isWanted = again.text.trim() === '' || isYes(again.text);
  return isWanted ? editUntilValid(editor, prompter, why) : undefined;
}

function edited(plan: Plan, why: Why): GateAnswer {
  return {kind: 'decided', decision: {decision: 'edit', plan: asJson(plan), ...why}};
}

/** Shows all that the decision covers; resolves with undefined when it was read or closed. */
export async function showWhole(prompter: GatePrompter): Promise<GateAnswer | undefined> {
  const line = await page(wholeOf(prompter.question), prompter);
  return line.kind === 'line' ? undefined : unansweredGate(line);
}

/** All that the decision covers, for the pager. */
function wholeOf({plan, preview, proposalHash}: HumanQuestion): string {
  return [
    ...(plan ? [JSON.stringify(plan, undefined, 2)] : []),
    ...(preview === undefined ? [] : [preview]),
    `sha256 ${proposalHash}`,
  ].join('\n');
}

export function unansweredGate(line: Exclude<Line, {kind: 'line'}>): GateAnswer {
  if (line.kind === 'withdrawn') return {kind: 'withdrawn'};
  return {kind: 'suspended', why: line.kind === 'interrupt' ? 'interrupted' : 'waiting'};
}

// Passes a person's decisions to the gates, and warns after several approvals in a row.

/** Approvals in a row before each warning. */
const cautionAfter = 5;

export type Accept = (
  gates: Pick<OpenGates, 'answer'>,
  gate: string,
  decision: HumanDecision,
) => void;

export function createAcceptance(note: (text: string) => void, reader: Reader): Accept {
  let approvals = 0;
  return (gates, gate, decision) => {
    if (!gates.answer(gate, decision))
      note(say(t`this was decided elsewhere in the meantime`, reader));
    approvals = isApproval(decision) ? approvals + 1 : 0;
    if (approvals > 0 && approvals % cautionAfter === 0) {
      note(say(t`${approvals} approvals in a row: /show shows the whole subject`, reader));
    }
  };
}

// Performs a line at a gate: it decides, shows more, postpones the decision, or prints the commands.

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

// Shows a long text page by page, so that a person can read the whole proposal.

export interface PagerIo {
  readonly print: (lines: readonly string[]) => void;
  readonly ask: (prompt: string) => Promise<Line>;
  readonly style: Style;
  readonly size: () => ScreenSize;
}

const finished: Line = {kind: 'line', text: ''};

/** Resolves with a line once the text was read or closed, else with the reason why asking ended. Never rejects. */
export async function page(text: string, io: PagerIo): Promise<Line> {
  const {width} = io.size();
  const rows = diffRows(escapedLines(text), io.style, width);
  return pageFrom(rows, 0, io);
}

async function pageFrom(rows: readonly string[], from: number, io: PagerIo): Promise<Line> {
  const to = Math.min(rows.length, from + io.size().height - 2);
  io.print(rows.slice(from, to));
  if (to >= rows.length) return finished;
  const answer = await io.ask(
    say(t`-- ${to} of ${rows.length} lines: Enter for more, q to stop -- `, io.style),
  );
  if (answer.kind !== 'line') return answer;
  return answer.text.trim().toLowerCase().startsWith('q') ? finished : pageFrom(rows, to, io);
}
