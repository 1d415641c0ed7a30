/** Counts the figures of a run while it works, or while its entries are read. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {Asked} from '../../machines/ports.ts';
import {offlineModel} from '../config/roles.ts';
import {addTo, countCall, type ModelTally, type Spent} from './model-tally.ts';
import type {ModelMetrics, RunCount, RunMetrics} from './run-metrics.ts';

export class Meter {
  #counts: Partial<Record<RunCount, number>> = {};
  #models = new Map<string, ModelTally>();
  #limits = new Set<string>();
  /** The last verdict of a panel, by the hash of the proposal. */
  readonly #verdicts = new Map<string, string>();
  /** The counts of the last decision, by the hash of the proposal. */
  readonly #decided = new Map<string, readonly RunCount[]>();
  /** Keys of questions to persons. */
  readonly #questions = new Set<string>();
  /** The open ones. */
  readonly #asked = new Set<string>();
  /** Since when at least one is open, epoch ms. */
  #askedAt = 0;

  /** Starts the counts again: everything before was counted for another run. */
  restart(at: number): void {
    this.#counts = {};
    this.#models = new Map();
    this.#limits = new Set();
    this.#askedAt = at;
  }

  /** A report of the run, or a note of any version. */
  report(report: JsonObject, at: number): void {
    const {type} = report;
    if (typeof type === 'string' && Object.hasOwn(takers, type)) takers[type]?.(this, report, at);
  }

  /** An event from outside, which may answer a question. */
  received({type, gate, ask}: JsonObject, at: number): void {
    if (type === 'human.decided') this.answered(gate, at);
    else if (type === 'person.replied') this.answered(ask, at);
  }

  /** `spent`: of a model call. */
  settled(asked: Asked, outcome: JsonObject, {ms, spent}: Partial<Spent> & {ms: number}): void {
    if (asked.port === 'runTool') this.tool(outcome);
    else if (asked.port === 'callModel' && spent)
      this.call(asked.request.model, outcome, {ms, spent});
  }

  call(model: string, outcome: JsonObject, {ms, spent}: Spent): void {
    if (model === offlineModel) return;
    this.#limitIn(outcome);
    countCall(this.#model(model), outcome, {ms, spent});
  }

  retried(model: string): void {
    addTo(this.#model(model).counts, 'retries');
  }

  limit(name: string): void {
    if (name !== '') this.#limits.add(name);
  }

  count(name: RunCount, by = 1): void {
    addTo(this.#counts, name, by);
  }

  asked(key: string, at: number): void {
    if (this.#asked.size === 0) this.#askedAt = at;
    this.#asked.add(key);
    this.#questions.add(key);
    this.count('questions');
  }

  answered(key: Json | undefined, at: number): void {
    if (!this.#asked.delete(textOf(key)) || this.#asked.size > 0) return;
    this.count('waitedMs', Math.max(0, at - this.#askedAt));
  }

  round(hash: string, verdict: string): void {
    this.#verdicts.set(hash, verdict);
  }

  /** A person who typed a command was not asked: that is not a decision. */
  decided({by, decision, proposalHash, gate}: JsonObject): void {
    if (by === 'person' && gate !== undefined && !this.#questions.has(textOf(gate))) return;
    const hash = textOf(proposalHash);
    const counts = decisionCounts(textOf(by), textOf(decision), this.#verdicts.get(hash));
    this.#decided.set(hash, counts);
    for (const name of counts) this.count(name);
  }

  /** The last decision on the proposal took no effect. */
  refused(hash: string): void {
    for (const name of this.#decided.get(hash) ?? []) this.count(name, -1);
    this.#decided.delete(hash);
  }

  /** `at`: of its end. */
  ended(result: JsonObject, {at, workedMs}: {at: number; workedMs: number}): RunMetrics {
    for (const key of this.#asked) this.answered(key, at);
    this.count('workedMs', workedMs);
    const {denied} = result;
    if (Array.isArray(denied)) this.count('denied', denied.length);
    const models: Record<string, ModelMetrics> = Object.fromEntries(this.#models);
    return {counts: this.#counts, models, limits: [...this.#limits]};
  }

  tool({kind, code}: JsonObject): void {
    this.count('toolCalls');
    if (kind === 'refused') this.count('toolRefusals');
    if (kind !== 'failed') return;
    this.count('toolFailures');
    if (code === 'timeout') this.count('toolTimeouts');
  }

  /** The message of a refused call begins with the name of the limit. */
  #limitIn({kind, message}: JsonObject): void {
    if (kind === 'overBudget') this.limit(limitIn(message));
  }

  #model(name: string): ModelTally {
    const known = this.#models.get(name) ?? {counts: {}, failed: {}};
    this.#models.set(name, known);
    return known;
  }
}

function limitIn(message: Json | undefined): string {
  return /^(\w+): /.exec(textOf(message))?.[1] ?? '';
}

type Taker = (meter: Meter, report: JsonObject, at: number) => void;

const takers: Readonly<Record<string, Taker>> = {
  'interaction.spawned': (meter) => meter.count('interactions'),
  'plan.created': (meter) => meter.count('plans'),
  'plan.revised': (meter) => meter.count('revisions'),
  'result.judged': (meter, {isReplanned}) => meter.count('replans', isReplanned === true ? 1 : 0),
  'model.retried': (meter, {model}) => meter.retried(textOf(model)),
  'limit.reached': (meter, {limit}) => meter.limit(textOf(limit)),
  'run.suspended': (meter, {outage}) => {
    if (isJsonObject(outage) && outage['code'] === 'overBudget')
      meter.limit(limitIn(outage['message']));
  },
  'human.requested': (meter, {gate}, at) => meter.asked(textOf(gate), at),
  'interview.asked': (meter, {ask}, at) => meter.asked(textOf(ask), at),
  'human.decided': (meter, report, at) => {
    meter.answered(report['gate'], at);
    meter.decided(report);
  },
  'decision.refused': (meter, {proposalHash}) => meter.refused(textOf(proposalHash)),
  'quorum.decided': takeRound,
};

function takeRound(meter: Meter, round: JsonObject): void {
  const {verdict, proposalHash, early, withdrawn, votes} = round;
  meter.round(textOf(proposalHash), textOf(verdict));
  if (verdict === 'approved') meter.count('roundsApproved');
  else meter.count(verdict === 'rejected' ? 'roundsRejected' : 'roundsNoQuorum');
  if (early === true) meter.count('roundsEarly');
  const spared = Array.isArray(withdrawn) ? withdrawn.map(textOf).filter(isOfModel) : [];
  meter.count('callsSaved', spared.length);
  for (const vote of Array.isArray(votes) ? votes.filter(isJsonObject) : [])
    takeBallot(meter, vote);
}

/** A reviewer by rule costs nothing. */
function isOfModel(seat: string): boolean {
  return !seat.startsWith('policy/');
}

function takeBallot(meter: Meter, {verdict, abstainedBecause}: JsonObject): void {
  if (abstainedBecause !== undefined) meter.count('ballotsFailed');
  else if (verdict === 'approve') meter.count('ballotsApprove');
  else meter.count(verdict === 'reject' ? 'ballotsReject' : 'ballotsAbstain');
}

const byPerson = {
  approved: 'approvedByPerson',
  rejected: 'rejectedByPerson',
  other: 'otherByPerson',
} as const;
const byMode = {approved: 'approvedByMode', rejected: 'rejectedByMode', other: undefined} as const;

/** `verdict`: of the panel on the same proposal, if it voted. */
function decisionCounts(by: string, decision: string, verdict: string | undefined): RunCount[] {
  const said = saidBy(decision);
  if (by === 'rule') return said === 'approved' ? ['approvedByRule'] : [];
  if (by !== 'person') return byMode[said] ? [byMode[said]] : [];
  const isOverride = isOpposite(said, verdict);
  return isOverride ? [byPerson[said], 'overrides'] : [byPerson[said]];
}

function saidBy(decision: string): keyof typeof byPerson {
  if (decision === 'approve' || decision === 'always') return 'approved';
  return decision === 'reject' ? 'rejected' : 'other';
}

function isOpposite(said: keyof typeof byPerson, verdict: string | undefined): boolean {
  return verdict === (said === 'approved' ? 'rejected' : said === 'rejected' ? 'approved' : '');
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
