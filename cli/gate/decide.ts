/** A person's decision at a gate: they may first edit the plan, or read all of it. */

import type {OpenGate, Run, RunEvent} from '../../actors/runtime-api.ts';
import {readAllowRule} from '../../machines/domain/allow-rule.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type HumanDecision, type HumanQuestion, isApproval} from '../../machines/domain/human.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {t} from '../../machines/message.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import {type Reader, say} from '../language.ts';
import {isQuestion, isSentence} from '../line/question.ts';
import {diffRows} from '../render/diff.ts';
import type {ScreenSize, Style} from '../render/style.ts';
import {escapedLines, oneLine} from '../render/text.ts';
import type {Environment} from '../terminal.ts';
import type {Line} from '../terminal/line-editor.ts';
import {isYes} from '../terminal/surface.ts';
import {type PlanEditor, createPlanEditor} from './editor.ts';

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

/** Resolves with undefined when the question stays open. Never rejects. */
export async function decide(
  {decision, rest}: {readonly decision: HumanDecision['decision']; readonly rest: string},
  prompter: GatePrompter,
): Promise<HumanDecision | undefined> {
  const why = rest === '' ? {} : {reason: rest};
  if (decision === 'edit') return edit(prompter, why);
  if (decision === 'always' && rest !== '') return allowAll(rest, prompter);
  if (decision === 'revise') return {decision, reason: rest};
  return {decision, ...why};
}

/** The decision takes a reason, with `always` the first words of a command, with `revise` what should be different. */
export function takesWords(decision: HumanDecision['decision']): boolean {
  return ['approve', 'reject', 'edit', 'revise', 'always'].includes(decision);
}

/** A sentence without a command says what should be different. A question changes nothing. */
export function isRevision(text: string, allowed: HumanQuestion['allowed']): boolean {
  return allowed.includes('revise') && isSentence(text) && !isQuestion(text);
}

interface Why {
  readonly reason?: string;
}

/** A prefix allows more than the shown command, so it must be confirmed with the full wording. */
async function allowAll(words: string, prompter: GatePrompter): Promise<HumanDecision | undefined> {
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
  if (answer.kind !== 'line' || !isYes(answer.text)) return undefined;
  return {decision: 'always', prefix: rule.command};
}

async function edit(prompter: GatePrompter, why: Why): Promise<HumanDecision | undefined> {
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
): Promise<HumanDecision | undefined> {
  const outcome = await prompter.aside(editor.edit);
  if (outcome.kind === 'edited') return {decision: 'edit', plan: asJson(outcome.plan), ...why};
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
  if (again.kind !== 'line') return undefined;
  const isWanted = again.text.trim() === '' || isYes(again.text);
  return isWanted ? editUntilValid(editor, prompter, why) : undefined;
}

/** Shows all that the decision covers; resolves when it was read or closed. */
export async function showWhole(prompter: GatePrompter): Promise<void> {
  await page(wholeOf(prompter.question), prompter);
}

/** All that the decision covers, for the pager. */
function wholeOf({plan, preview, proposalHash}: HumanQuestion): string {
  return [
    ...(plan ? [JSON.stringify(plan, undefined, 2)] : []),
    ...(preview === undefined ? [] : [preview]),
    `sha256 ${proposalHash}`,
  ].join('\n');
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

// Shows a long text page by page, so that a person can read the whole proposal.

export interface PagerIo {
  readonly print: (lines: readonly string[]) => void;
  readonly ask: (prompt: string) => Promise<Line>;
  readonly style: Style;
  readonly size: () => ScreenSize;
}

/** Resolves once the text was read or closed. Never rejects. */
async function page(text: string, io: PagerIo): Promise<void> {
  const {width} = io.size();
  const rows = diffRows(escapedLines(text), io.style, width);
  await pageFrom(rows, 0, io);
}

async function pageFrom(rows: readonly string[], from: number, io: PagerIo): Promise<void> {
  const to = Math.min(rows.length, from + io.size().height - 2);
  io.print(rows.slice(from, to));
  if (to >= rows.length) return;
  const answer = await io.ask(
    say(t`-- ${to} of ${rows.length} lines: Enter for more, q to stop -- `, io.style),
  );
  if (answer.kind !== 'line' || answer.text.trim().toLowerCase().startsWith('q')) return;
  await pageFrom(rows, to, io);
}

// The open questions of a run to a person. An answer takes effect later than it is sent.

export type Replied = Extract<RunEvent, {readonly type: 'person.replied'}>;

export interface OpenGates {
  readonly list: () => readonly OpenGate[];
  /** The gates whose event was shown: all events before it are on the screen. */
  readonly shownGates: () => readonly OpenGate[];
  /** Records an event that the progress has shown. */
  readonly record: (event: ProgressEvent) => void;
  /** False when the gate was settled elsewhere in the meantime. */
  readonly answer: (gate: string, decision: HumanDecision) => boolean;
  /** Messages of interviews whose event was shown. */
  readonly asks: () => readonly OpenAsk[];
  /** Throws AppError `nothing_waiting` when the interview no longer waits for a reply. */
  readonly reply: (replied: Replied) => void;
}

export function createOpenGates(run: Run): OpenGates {
  const answered = new Set<string>();
  const sent = new Set<string>();
  const shown = new Set<string>();
  const list = (): readonly OpenGate[] => {
    const open = run.gates();
    for (const id of answered) if (!open.some(({gate}) => gate === id)) answered.delete(id);
    return open.filter(({gate}) => !answered.has(gate));
  };
  return {
    list,
    shownGates: () => list().filter(({gate}) => shown.has(gate)),
    record: (event) => {
      if (event.type === 'human.requested') shown.add(event.gate);
      if (event.type === 'interview.asked') shown.add(event.ask);
    },
    answer: (gate, decision) => {
      answered.add(gate);
      try {
        run.send({type: 'human.decided', gate, ...decision});
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === 'nothing_waiting') return false;
        throw error;
      }
    },
    asks: () => run.asks().filter(({ask}) => shown.has(ask) && !sent.has(ask)),
    reply: (replied) => {
      run.send(replied);
      if (replied.ask !== undefined) sent.add(replied.ask);
    },
  };
}
