/** The figures of one run: counts, durations and costs, and none of its texts. */

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';

/** Figures of another format are computed again. */
const format = 1;

export const noRunCounts = {
  /** With running time at work, and time in which a person was asked and had not answered yet. */
  workedMs: 0,
  waitedMs: 0,
  /** Questions to persons: of gates and interviews. */
  questions: 0,
  interactions: 0,
  plans: 0,
  /** New versions of a plan after a rejection. */
  revisions: 0,
  /** New plans after one that ran without success. */
  replans: 0,
  roundsApproved: 0,
  roundsRejected: 0,
  roundsNoQuorum: 0,
  /** Rounds decided before all ballots were in, and the model calls that this avoided or cut short. */
  roundsEarly: 0,
  callsSaved: 0,
  ballotsApprove: 0,
  ballotsReject: 0,
  ballotsAbstain: 0,
  /** Seats that could not vote. */
  ballotsFailed: 0,
  approvedByPerson: 0,
  rejectedByPerson: 0,
  /** Edits of plans, and answers about effects whose outcome is unknown. */
  otherByPerson: 0,
  approvedByRule: 0,
  approvedByMode: 0,
  rejectedByMode: 0,
  /** A person approved what the panel rejected, or rejected what it approved. */
  overrides: 0,
  denied: 0,
  toolCalls: 0,
  toolFailures: 0,
  /** Failures because of a time limit. */
  toolTimeouts: 0,
  toolRefusals: 0,
};

export type RunCount = keyof typeof noRunCounts;

export const noModelCounts = {
  calls: 0,
  failures: 0,
  /** Failures because of a time limit. */
  timeouts: 0,
  /** Not needed any more, or cut short by the end of the run. */
  aborted: 0,
  /** Refused before the model was asked: by a limit, or without a provider. */
  notMade: 0,
  retries: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  /** Of the calls with a known price. */
  costUsd: 0,
  unpriced: 0,
  /** Calls without reported usage: their cost is an upper bound. */
  estimated: 0,
  ms: 0,
};

export type ModelCount = keyof typeof noModelCounts;

/** Sums by name; an absent one is 0. */
export type Tally<Name extends string> = Readonly<Partial<Record<Name, number>>>;

export interface ModelMetrics {
  readonly counts: Tally<ModelCount>;
  /** By kind. */
  readonly failed: Readonly<Record<string, number>>;
}

/** The model of calls that a run of another version does not name. */
export const unknownModel = 'unknown';

export interface RunMetrics {
  readonly counts: Tally<RunCount>;
  /** By `provider/model`. */
  readonly models: Readonly<Record<string, ModelMetrics>>;
  /** Names of the limits that it reached: `max_model_calls`. */
  readonly limits: readonly string[];
  /** The run can't be replayed: only a part of it is counted. */
  readonly isPartial?: true;
}

export function toFigures({counts, models, limits, isPartial}: RunMetrics): JsonObject {
  const members = {counts: {...counts}, models: modelFigures(models), limits};
  return {format, ...members, ...(isPartial ? {isPartial} : {})};
}

function modelFigures(models: RunMetrics['models']): JsonObject {
  return Object.fromEntries(
    Object.entries(models).map(([model, {counts, failed}]) => [
      model,
      {counts: {...counts}, failed},
    ]),
  );
}

/** Undefined for figures of another format. */
export function metricsIn(figures: JsonObject): RunMetrics | undefined {
  return isRunMetrics(figures) ? figures : undefined;
}

function isRunMetrics(value: JsonObject): value is JsonObject & RunMetrics {
  const {counts, models, limits} = value;
  if (value['format'] !== format || !isTally(counts) || !isJsonObject(models)) return false;
  if (!Array.isArray(limits) || !limits.every((limit) => typeof limit === 'string')) return false;
  return Object.values(models).every(
    (each) => isJsonObject(each) && isTally(each['counts']) && isTally(each['failed']),
  );
}

function isTally(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((count) => typeof count === 'number');
}
