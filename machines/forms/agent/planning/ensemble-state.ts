/** The state of an ensemble: the drafts, their scores and the chosen plan. */

import type {Failure} from '../../../domain/failure.ts';
import {openObjections} from '../../../domain/ledger.ts';
import type {PlannedChange} from '../../../domain/plan-changes.ts';
import type {Plan} from '../../../domain/plan.ts';
import type {Participant} from '../../../domain/settings.ts';
import type {Fact} from '../../../facts/fact.ts';
import type {DebateInput, DebateOutput} from '../../debate/debate-state.ts';
import {bestOf, type Draft, type GivenScore, scoredDrafts, type ScoredPlan} from './choice.ts';
import type {PlanningInput, PlanningOutput} from './planning.ts';
import {adviceText} from './scoring-prompt.ts';

export interface EnsembleInput {
  /** `provider/model`, each once, in the order of the configuration. */
  readonly planners: readonly string[];
  /** The input of each planner. Its `model` plans alone if no planner made a draft. */
  readonly planning: PlanningInput;
}

/** The outcome of one planner. */
export interface Drafted {
  readonly by: string;
  readonly plan?: Plan;
  /** The changes that its calls make to files. Absent: none. */
  readonly changes?: readonly PlannedChange[] | undefined;
  /** The reason if there is no plan. */
  readonly because?: string;
}

export interface EnsembleContext extends EnsembleInput {
  /** In the order of their arrival. */
  readonly drafted: readonly Drafted[];
  readonly scores: readonly GivenScore[];
  /** The output if the ensemble ended now. */
  readonly output: PlanningOutput;
}

export function openEnsemble(input: EnsembleInput): EnsembleContext {
  const failure = {code: 'internal', message: 'no plan was made'};
  return {...input, drafted: [], scores: [], output: {kind: 'failed', failure}};
}

/** The ensemble does not wait for a planner that can't be called. */
export function draftInput({planning}: EnsembleContext, model: string): PlanningInput {
  return {...planning, model, goesWithout: true};
}

export function draftEnd(by: string, output: PlanningOutput): Drafted {
  return output.kind === 'ready'
    ? {by, plan: output.plan, ...(output.changes ? {changes: output.changes} : {})}
    : {by, because: whyNot(output.failure)};
}

/** A planner's reply and an invalid plan's message are clear without a code in front. */
function whyNot({code, message}: Failure): string {
  return code === 'no_plan' || code === 'invalid_plan' ? message : `${code}: ${message}`;
}

export function lateDrafts({planners, drafted}: EnsembleContext): Drafted[] {
  const out = planners.filter((model) => !drafted.some(({by}) => by === model));
  return out.map((by) => ({by, because: 'deadline passed'}));
}

/** In the order of the configuration, not of arrival. */
export function draftsIn({planners, drafted}: EnsembleContext): Draft[] {
  return planners.flatMap((by) => {
    const plan = drafted.find((one) => one.by === by)?.plan;
    return plan ? [{by, plan}] : [];
  });
}

function scored(context: EnsembleContext): readonly ScoredPlan[] {
  return scoredDrafts(draftsIn(context), context.scores);
}

export function bestDraft(context: EnsembleContext): ScoredPlan | undefined {
  return bestOf(scored(context));
}

/** True if the best draft scored below the minimum. A draft without scores does not. */
export function isLow(context: EnsembleContext): boolean {
  const mean = bestDraft(context)?.mean;
  return mean !== undefined && mean < context.planning.work.settings.agent.minPlanScore;
}

export function chosen(context: EnsembleContext): Partial<EnsembleContext> {
  const draft = bestDraft(context);
  if (!draft) return {};
  const {plan, by} = draft;
  const changes = context.drafted.find((one) => one.by === by)?.changes;
  return {output: {kind: 'ready', plan, by, ...(changes ? {changes} : {})}};
}

/** Takes the output of a redraft, or of a planner that plans alone. A failed redraft keeps the draft. */
export function planned(
  {output: before}: EnsembleContext,
  output: PlanningOutput,
): Partial<EnsembleContext> {
  return output.kind === 'failed' && before.kind === 'ready' ? {} : {output};
}

export function redraftInput(context: EnsembleContext): PlanningInput {
  const {planning} = context;
  const draft = bestDraft(context);
  if (!draft) return planning;
  return {
    ...draftInput(context, draft.by),
    brief: {...planning.brief, previous: draft.plan, advice: adviceText(draft)},
  };
}

/** The second best draft. */
export function runnerUp(context: EnsembleContext): ScoredPlan | undefined {
  const by = bestDraft(context)?.by;
  return bestOf(scored(context).filter((draft) => draft.by !== by));
}

/** The plan's author is the proponent, and the author of the runner-up the opponent. */
export function debateInput(context: EnsembleContext): DebateInput {
  const {planning, output} = context;
  const {request, background} = planning.brief;
  const {settings} = planning.work;
  if (output.kind === 'failed') throw new Error('there is nothing to debate');
  const opponent = sideOf(runnerUp(context)?.by ?? output.by);
  return {
    ground: {question: request, attachments: [], background},
    given: JSON.stringify(output.plan, undefined, 2),
    settings: {...settings, debate: {...settings.debate, proponent: sideOf(output.by), opponent}},
  };
}

function sideOf(model: string): Participant {
  return {id: model, model};
}

/** The debate leaves the plan unchanged. Its open objections go to the voters. */
export function debated(
  {output}: EnsembleContext,
  {objections}: DebateOutput,
): Partial<EnsembleContext> {
  return output.kind === 'failed'
    ? {}
    : {output: {...output, objections: openObjections(objections)}};
}

export function draftReport({by, plan, because}: Drafted): Fact {
  return {
    type: 'ensemble.drafted',
    by,
    ...(plan ? {plan} : {}),
    ...(because === undefined ? {} : {because}),
  };
}

export function scoreReports({scores}: EnsembleContext): Fact[] {
  return scores.map(({scorer, of, score, reasons}) => ({
    type: 'ensemble.scored',
    by: scorer,
    of,
    score,
    reasons,
  }));
}

/** Records the chosen draft, with all drafts and their scores. */
export function tableOf(context: EnsembleContext): Fact | undefined {
  const taken = bestDraft(context);
  if (!taken) return undefined;
  return {
    type: 'ensemble.chosen',
    by: taken.by,
    isLow: isLow(context),
    drafts: scored(context),
  };
}
