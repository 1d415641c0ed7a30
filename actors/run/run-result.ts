/** Results of runs: of the end of the root actor, of a suspended run, of a failed one. */

import type {Snapshot} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import {isLimit, type Outage, toFailure} from '../../machines/domain/failure.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {
  FinalStatus,
  FormOutput,
  FormParts,
  RunResult,
  Waiting,
} from '../../machines/domain/result.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {lineOf} from '../../machines/domain/text-limits.ts';
import type {ProgressEvent, Report} from '../../machines/facts/progress.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import {maskedResult} from '../../machines/questionnaire/private-answers.ts';
import {interactionIn, underRoot} from '../../machines/tree/path.ts';
import {keysOfModel} from '../config/forms.ts';
import {type Effect, isAsked} from '../engine/effect.ts';
import type {Closed, Entry} from '../journal/journal.ts';
import type {OpenGate} from '../runtime-api.ts';
import {gatesOf, maskedAsksOf} from './inbound.ts';
import type {Ledger} from './ledger.ts';

/** The exit code of a run that has ended, by its status. */
export const endCodes: Readonly<Record<FinalStatus, number>> = {
  completed: 0,
  failed: 1,
  rejected: 1,
  cancelled: 1,
  error: 2,
  limited: 3,
};

const exitCodes: Readonly<Record<RunResult['status'], number>> = {...endCodes, waiting: 4};

/** The exit code of a run that a signal interrupted. */
const interruptedCode = 130;

export interface RunFacts {
  readonly id: string;
  readonly form: InteractionForm;
  readonly workspace: string;
  readonly ledger: Ledger;
}

export interface BrokenFacts extends RunFacts {
  /** The opening is durable: the run can be resumed. */
  readonly isOnRecord: boolean;
}

export function toResult(
  snapshot: Snapshot<unknown>,
  {id, form, ledger}: Omit<RunFacts, 'workspace'>,
): RunResult {
  const {totals: usage} = ledger;
  const base = {type: 'result', interaction: id, form, usage} as const;
  const {output} = snapshot;
  if (!isFormOutput(output)) {
    const error = toFailure(snapshot.error ?? 'The charts ended without a result.');
    return {...base, status: 'error', exitCode: exitCodes.error, summary: error.message, error};
  }
  const {status, summary, ...parts} = output;
  return {...base, status, exitCode: exitCodes[status], summary, ...shownParts(parts, id)};
}

/** All open gates, in the order of their questions. */
type Gates = readonly [OpenGate, ...OpenGate[]];

/** The open questions to persons, in the order in which they were asked. */
interface Asking {
  readonly gates: readonly OpenGate[];
  readonly asks: readonly OpenAsk[];
}

/** Why a run was suspended: it has not ended. */
export type Suspension =
  | ({readonly why: 'waiting'} & Asking)
  | {readonly why: 'interrupted' | 'handedOver'}
  | {readonly why: 'outage'; readonly outage: Outage};

/** The suspension of a run with these open effects. */
export function suspensionOf(
  why: 'waiting' | 'interrupted',
  open: readonly Effect[],
  id: string,
): Suspension {
  const asked = why === 'waiting' ? open.filter(isAsked) : [];
  return suspensionAt({gates: gatesOf(asked, id), asks: maskedAsksOf(asked, id)});
}

/** A wait for a person if any question is open, else an interruption. */
export function suspensionAt({gates, asks}: Asking): Suspension {
  return gates.length + asks.length > 0 ? {why: 'waiting', gates, asks} : {why: 'interrupted'};
}

/** The outage that a run waits for; undefined while any other effect is open. */
export function outageOf(
  open: readonly Effect[],
  form: InteractionForm,
  settings: Settings,
): Outage | undefined {
  const outages = open.flatMap((each) => (each.port === 'awaitResume' ? [each.request] : []));
  if (outages.length < open.length) return undefined;
  const [first] = outages;
  return outages.find(isLimit) ?? (first && withSetting(first, form, settings));
}

/** A model that rejects every request, such as one that its provider has shut down, must be replaced. */
function withSetting(outage: Outage, form: InteractionForm, settings: Settings): Outage {
  const {code, message, model} = outage;
  if (code !== 'unsupported' || model === undefined) return outage;
  const keys = keysOfModel(model, form, settings);
  if (keys.length === 0) return outage;
  return {...outage, message: `${message}; to use another model, set ${keys.join(', ')}`};
}

/** The note of a suspension in the journal. */
export function noteOf(suspension: Suspension): JsonObject {
  const {why} = suspension;
  return asJson({
    type: 'run.suspended',
    why,
    ...(why === 'outage' ? {outage: suspension.outage} : {}),
  });
}

/** The progress of a run when it is suspended. */
interface Course {
  readonly parts: FormParts;
  /** The calls that the suspend aborted. */
  readonly aborted: readonly string[];
}

export function suspendedResult(
  suspension: Suspension,
  {id, form, workspace, ledger}: RunFacts,
  {parts, aborted}: Course,
): RunResult {
  return {
    type: 'result',
    ...suspensionStatus(suspension),
    ...shownParts(parts, id),
    resumable: true,
    interaction: id,
    form,
    usage: ledger.totals,
    ...(aborted.length > 0 ? {aborted} : {}),
    ...(suspension.why === 'waiting' ? waitedFor(suspension, {id, workspace}) : {}),
  };
}

function suspensionStatus(
  suspension: Suspension,
): Pick<RunResult, 'status' | 'exitCode' | 'summary' | 'error'> {
  const status = 'waiting';
  if (suspension.why === 'waiting') {
    const reasons = [
      ...suspension.gates.map(({question}) => question.reason),
      ...suspension.asks.map(({question, message}) => lineOf(question ?? message, 200)),
    ];
    const summary = `Waiting for a person: ${reasons.join('; also: ')}`;
    return {status, exitCode: exitCodes.waiting, summary};
  }
  if (suspension.why !== 'outage') {
    return {status, exitCode: interruptedCode, summary: 'Suspended.'};
  }
  const {code, message, model} = suspension.outage;
  if (isLimit(suspension.outage)) {
    const summary = `Stopped by a limit: ${message}`;
    return {status: 'limited', exitCode: exitCodes.limited, summary};
  }
  const summary = `Suspended${model === undefined ? '' : ' because a model could not be called'}: ${message}`;
  return {status, exitCode: exitCodes.error, summary, error: {code, message}};
}

function waitedFor(
  {gates: [first, ...others], asks}: Asking,
  run: WaitingRun,
): Pick<RunResult, 'waiting' | 'asked'> {
  return {
    ...(first ? {waiting: waitingFor([first, ...others], run)} : {}),
    ...(asks.length > 0 ? {asked: asks} : {}),
  };
}

/** The basis of the decision at each open gate: the first gate, and the others in it. */
export function waitingFor([first, ...others]: Gates, run: WaitingRun): Waiting {
  return {
    ...waitingForOne(first, run),
    ...(others.length > 0 ? {others: others.map((each) => waitingForOne(each, run))} : {}),
  };
}

type WaitingRun = Pick<RunFacts, 'id' | 'workspace'>;

function waitingForOne({question, interaction}: OpenGate, {id, workspace}: WaitingRun): Waiting {
  const {plan, history, proposalHash} = question;
  const diff = diffIn(question);
  return {
    workspace,
    ...(interaction === id ? {} : {interaction}),
    question,
    ...(plan ? {plan} : {}),
    ...(diff === undefined ? {} : {diff}),
    votes: history,
    digest: proposalHash,
  };
}

/** A preview begins with a title; where it shows a command, nothing in it is a diff. */
function diffIn({preview = ''}: HumanQuestion): string | undefined {
  const lines = preview.split('\n');
  const from = lines.findIndex(
    (line, index) => line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true,
  );
  if (from < 0 || lines.slice(0, from).some((line) => line.startsWith('$ '))) return undefined;
  return lines.slice(from).join('\n');
}

/**
 * The result of a run that could not continue because the journal or the program failed: it stays open. Also of a run that was
 * interrupted while it waited for a journal that could not be written: it was never opened.
 */
export function brokenResult(
  error: unknown,
  {id, form, ledger, isOnRecord}: BrokenFacts,
): RunResult {
  const base = {type: 'result', interaction: id, form, usage: ledger.totals} as const;
  if (isAbort(error)) {
    const summary = 'Interrupted before the run was open: nothing was done.';
    return {...base, status: 'cancelled', exitCode: interruptedCode, summary};
  }
  const failure = toFailure(error);
  return {
    ...base,
    status: 'error',
    exitCode: exitCodes.error,
    summary: failure.message,
    ...(isOnRecord && isOfJournal(error) ? {resumable: true} : {}),
    error: failure,
  };
}

/** True when the journal could not be written, or another process has the run: the run itself is sound. */
function isOfJournal(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'io' || error.code === 'busy');
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function isFormOutput(value: unknown): value is FormOutput {
  return typeof value === 'object' && value !== null && 'status' in value && 'summary' in value;
}

/** The result of a run that has ended, with private answers masked. */
export function resultIn(entries: readonly Entry[]): RunResult | undefined {
  const result = recordedResult(entries);
  return result && maskedResult(result);
}

/** The result in the entry that ended a run, with private answers masked. */
export function resultOfClosing({result}: Pick<Closed, 'result'>): RunResult | undefined {
  return isRunResult(result) ? maskedResult(result) : undefined;
}

/** The result as it is recorded, unmasked: for the respondent and the answers file. */
export function recordedResult(entries: readonly Entry[]): RunResult | undefined {
  const closed = entries.find((entry) => entry.type === 'closed');
  return isRunResult(closed?.result) ? closed.result : undefined;
}

const requiredMembers = ['status', 'exitCode', 'interaction', 'summary', 'usage'];

function isRunResult(value: unknown): value is RunResult {
  if (typeof value !== 'object' || value === null) return false;
  return 'type' in value && value.type === 'result' && requiredMembers.every((key) => key in value);
}

// Ids of interactions outside of their tree begin with the id of the run: `RUN.1.2`.

type Source = Pick<ProgressEvent, 'seq' | 'at' | 'actor'>;

/** A report of the charts as an event of the run. */
export function eventOf(report: Report, run: string, source: Source): ProgressEvent {
  const interaction = interactionIn(source.actor, run);
  return {...shownReport(report, run, interaction), ...source, interaction};
}

function shownReport(report: Report, run: string, interaction: string): Report {
  if (report.type === 'interview.submitted')
    return {...report, answers: {...report.answers, submission: interaction}};
  return {...report, ...renamed(report, ['child', 'parent'], run)};
}

/** An event from outside, which names interactions by the id of the run, as the tree knows it. */
export function addressedIn(event: JsonObject, rootName: string): JsonObject {
  return {...event, ...renamed(event, ['interaction', 'parent'], rootName)};
}

/** The parts of the result of a tree as parts of the result of the run. */
function shownParts<Parts extends FormParts>(parts: Parts, run: string): Parts {
  const {reviews, denied, decisions, interactions, answers} = parts;
  return {
    ...parts,
    ...(reviews ? {reviews: reviews.map((each) => placed(each, run))} : {}),
    ...(denied ? {denied: denied.map((each) => placed(each, run))} : {}),
    ...(decisions ? {decisions: decisions.map((each) => placed(each, run))} : {}),
    ...(interactions ? {interactions: interactions.map((each) => shownNode(each, run))} : {}),
    ...(answers ? {answers: {...answers, submission: run}} : {}),
  };
}

function placed<Item extends {readonly interaction?: string}>(item: Item, run: string): Item {
  return {...item, ...renamed(item, ['interaction'], run)};
}

export function shownNode<Node extends {readonly id: string; readonly parent?: string}>(
  node: Node,
  run: string,
): Node {
  return {...node, ...renamed(node, ['id', 'parent'], run)};
}

/** The members that hold ids, with the ids under another name of the root. */
function renamed(item: object, members: readonly string[], root: string): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const member of members) {
    const id: unknown = Reflect.get(item, member);
    if (typeof id === 'string') ids[member] = underRoot(id, root);
  }
  return ids;
}
