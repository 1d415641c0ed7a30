/** Matches a decision of the command line with the question that it answers. */

import type {OpenGate} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {type Message, t} from '../../machines/message.ts';
import type {OpenGates} from '../gate/decide.ts';
import {type EditGround, readPlanFile} from '../gate/plan-file.ts';
import {digestText} from '../render/question.ts';
import {withOperand} from '../render/result/waiting.ts';
import {oneLine} from '../render/text.ts';
import type {DecisionFlag} from './decision-flag.ts';
import {usageError} from './usage-error.ts';

/** Reads the file of an edit. Throws AppError `usage` that lists the problems of the file. */
export function toDecision(given: DecisionFlag, ground: EditGround): HumanDecision {
  if (given.decision === 'revise') return {decision: given.decision, reason: given.reason};
  const {decision} = given;
  const why = 'reason' in given && given.reason !== undefined ? {reason: given.reason} : {};
  if (decision !== 'edit') return {decision, ...why};
  const reading = readPlanFile(given.file, ground);
  if (reading.ok) return {decision, plan: asJson(reading.plan), ...why};
  const problems = reading.problems.map((problem) => oneLine(problem, 1000)).join('; ');
  const file = oneLine(given.file);
  throw usageError(t`the plan in ${file} can't be used: ${problems}`);
}

/** Events by which a resumed run shows that it continues, so that no gate was waiting for the decision. */
const workEvents: ReadonlySet<ProgressEvent['type']> = new Set([
  'plan.created',
  'plan.revised',
  'task.settled',
  'quorum.started',
  'quorum.decided',
  'tool.settled',
  'result',
]);

/**
 * Answers the gate at which a resumed run waits, and no later one: the person who gave the decision has not seen those. Among
 * several open gates, `digest` selects one. Call the returned function once before the first event and then for every event;
 * it returns true when it has given the decision. It throws AppError `usage` when the question does not allow the decision,
 * has a different digest, or is one of several without a digest; `nothing_waiting` when the run does not wait for a
 * decision.
 */
export function createGivenDecision(
  gates: Pick<OpenGates, 'list' | 'answer'>,
  id: string,
  decision: HumanDecision | undefined,
  digest?: string,
): (event?: ProgressEvent) => boolean {
  let pending = decision;
  const give = ({gate, question}: OpenGate, given: HumanDecision): boolean => {
    requireAllowed(given, question);
    pending = undefined;
    if (gates.answer(gate, given)) return true;
    throw nothingWaiting(id);
  };
  return (event) => {
    if (!pending) return true;
    if (event && workEvents.has(event.type)) throw nothingWaiting(id);
    const open = gates.list();
    // After the start, only the order of the events shows whether a gate was open before the run continued.
    const asked = event?.type === 'human.requested' ? event.gate : undefined;
    const isAsked = event ? open.some(({gate}) => gate === asked) : open.length > 0;
    return isAsked ? give(meantOf(open, id, digest), pending) : false;
  };
}

/** The selected gate among the open ones, of which there is at least one. */
function meantOf(open: readonly OpenGate[], id: string, digest: string | undefined): OpenGate {
  const meant = open.filter(({question}) => question.proposalHash.startsWith(digest ?? ''));
  const [first] = meant;
  // Two gates may ask about the same call: an approval covers both.
  if (first && new Set(meant.map(({question}) => question.proposalHash)).size === 1) return first;
  const run = oneLine(id);
  const said: Message =
    digest === undefined
      ? t`run ${run} asks ${open.length} questions; add --gate DIGEST for the one that the decision answers:`
      : t`the decision is for sha256 ${digest}, but run ${run} waits for one on`;
  const asked = open.map(summaryOf).join(', ');
  throw usageError(t`${said} ${asked}; look with quorate show ${run}`);
}

function summaryOf({question: {proposalHash, kind, reason}}: OpenGate): string {
  return `${digestText(proposalHash)} (${kind}: ${oneLine(reason, 200)})`;
}

function nothingWaiting(id: string): Error {
  const run = oneLine(id);
  return new AppError(
    'nothing_waiting',
    t`run ${run} does not wait for a decision: use quorate resume ${run} without --decision`,
  );
}

function requireAllowed({decision}: HumanDecision, question: HumanQuestion): void {
  if (question.allowed.includes(decision)) return;
  const choices = decisionChoices(question);
  throw usageError(
    t`${decision} does not answer this question (${question.kind}): use --decision ${choices}`,
  );
}

/** `approve|reject|edit:FILE|revise:WORDS`, the value of `--decision`. */
export function decisionChoices({allowed}: HumanQuestion): string {
  return allowed.map(withOperand).join('|');
}
