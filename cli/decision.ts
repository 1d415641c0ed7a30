/** A decision given on the command line, matched with the question that it is meant for. */

import type {OpenGate} from '../actors/runtime-api.ts';
import {AppError} from '../machines/domain/app-error.ts';
import type {HumanDecision, HumanQuestion} from '../machines/domain/human.ts';
import {asJson} from '../machines/domain/json.ts';
import type {ProgressEvent} from '../machines/domain/progress.ts';
import type {DecisionFlag} from './decision-flag.ts';
import type {OpenGates} from './gate/open-gates.ts';
import {readPlanFile, type EditGround} from './gate/plan-file.ts';
import {oneLine} from './lines/text.ts';

/** Reads the plan of an edit. Throws AppError `usage` that lists what is wrong with the file. */
export function toDecision(given: DecisionFlag, ground: EditGround): HumanDecision {
  if (given.decision === 'reject') return given;
  if (given.decision !== 'edit') return {decision: given.decision};
  const reading = readPlanFile(given.file, ground);
  if (reading.ok) return {decision: 'edit', plan: asJson(reading.plan)};
  const problems = reading.problems.map((problem) => oneLine(problem, 1000)).join('; ');
  throw new AppError('usage', `the plan in ${oneLine(given.file)} is not valid: ${problems}`);
}

/** Events that say that a resumed run works on, so that no gate was waiting for the decision given. */
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
 * Answers the gate at which a resumed run waits, and no later one: the person who gave the decision has not seen those.
 * Call the function returned once before the first event and then for every event; it says whether the decision, if
 * any, is given. It throws AppError `usage` when the question does not allow the decision or is about something else
 * than `digest`, `nothing_waiting` when the run turns out to wait for none.
 */
export function createGivenDecision(
  gates: OpenGates,
  id: string,
  decision: HumanDecision | undefined,
  digest?: string,
): (event?: ProgressEvent) => boolean {
  let pending = decision;
  const give = ({gate, question}: OpenGate, given: HumanDecision): boolean => {
    requireAllowed(given, question);
    requireSeen(id, digest, question);
    pending = undefined;
    if (gates.answer(gate, given)) return true;
    throw nothingWaiting(id);
  };
  return (event) => {
    if (!pending) return true;
    if (event && workEvents.has(event.type)) throw nothingWaiting(id);
    // Later than at the start only the order of the events tells whether a gate was there before the work went on.
    const asked = event?.type === 'human.requested' ? event.gate : undefined;
    const open = gates.list().find(({gate}) => (event ? gate === asked : true));
    return open ? give(open, pending) : false;
  };
}

function nothingWaiting(id: string): AppError {
  return new AppError(
    'nothing_waiting',
    `run ${oneLine(id)} does not wait for a decision: use quorate resume ${oneLine(id)} without --decision`,
  );
}

function requireAllowed({decision}: HumanDecision, question: HumanQuestion): void {
  if (question.allowed.includes(decision)) return;
  throw new AppError(
    'usage',
    `${decision} is no answer to this question (${question.kind}): use --decision ${decisionChoices(question)}`,
  );
}

/** Who names what they have seen decides on nothing else. */
function requireSeen(
  id: string,
  digest: string | undefined,
  {proposalHash, kind}: HumanQuestion,
): void {
  if (digest === undefined || proposalHash.startsWith(digest)) return;
  throw new AppError(
    'usage',
    `the decision is for sha256 ${digest}, but run ${oneLine(id)} waits for one on ${proposalHash.slice(0, 12)} (${kind}); ` +
      `look at it with quorate show ${oneLine(id)}`,
  );
}

/** `approve|reject|edit:FILE`, as `--decision` takes it. */
export function decisionChoices({allowed}: HumanQuestion): string {
  return allowed.map((decision) => (decision === 'edit' ? 'edit:FILE' : decision)).join('|');
}
