/** The waits of a trace for a person: gates, questions of interviews, a breakpoint. */

import type {JsonObject} from '../../../../../machines/domain/json.ts';
import type {Moment} from '../../../../../machines/trace/moments.ts';
import type {Step} from '../../../../../machines/trace/step.ts';
import {factsOf, foldSteps, type PlacedFact, receivedIn} from './fold.ts';
import {objectIn, textIn} from './members.ts';

export interface Gate {
  /** Of the step that asked, or of the decision where nobody was asked. */
  readonly index: number;
  /** As a decision names it. */
  readonly gate: string;
  /** As in `HumanQuestion`, as it was asked last. Absent: nobody was asked. */
  readonly question?: JsonObject;
  readonly decided?: {readonly index: number; readonly decision: JsonObject};
}

export interface Ask {
  readonly index: number;
  /** As a reply names it. */
  readonly ask: string;
  readonly message: string;
  /** The step with the reply. */
  readonly replied?: number;
}

/** A stop at a breakpoint. */
export interface Hold {
  readonly index: number;
  /** `run.held`: it names the effect before which the run stopped. */
  readonly event: JsonObject;
  /** The step that continued the run. */
  readonly ended?: number;
}

interface Waiting {
  readonly gates: Gate[];
  readonly asks: Ask[];
  readonly holds: Hold[];
}

/** In the order in which they began. */
export const waitingOf = foldSteps<Waiting>(
  () => ({gates: [], asks: [], holds: []}),
  (waiting, step, index) => {
    for (const placed of factsOf(step)) takeFact(waiting, placed, index);
    takeReceived(waiting, step, index);
  },
);

function takeFact({gates, asks}: Waiting, {fact}: PlacedFact, index: number): void {
  if (fact['type'] === 'interview.asked') takeAsk(asks, fact, index);
  else if (fact['type'] === 'human.requested') takeQuestion(gates, fact, index);
  else if (fact['type'] === 'human.decided') takeDecision(gates, fact, index);
}

function takeQuestion(gates: Gate[], fact: JsonObject, index: number): void {
  const gate = textIn(fact, 'gate');
  if (gate === undefined) return;
  const at = gates.findLastIndex((each) => each.gate === gate);
  const known = gates[at];
  const question = objectIn(fact, 'question') ?? {};
  if (!known) gates.push({index, gate, question});
  else if (!known.decided) gates[at] = {...known, question};
}

function takeDecision(gates: Gate[], decision: JsonObject, index: number): void {
  const gate = textIn(decision, 'gate');
  if (gate === undefined) return;
  const at = gates.findLastIndex((each) => each.gate === gate);
  const known = gates[at];
  const decided = {index, decision};
  if (!known) gates.push({index, gate, decided});
  else if (!known.decided) gates[at] = {...known, decided};
}

function takeAsk(asks: Ask[], fact: JsonObject, index: number): void {
  const ask = textIn(fact, 'ask');
  if (ask === undefined || asks.some((each) => each.ask === ask)) return;
  asks.push({index, ask, message: textIn(fact, 'message') ?? ''});
}

const releasing: ReadonlySet<unknown> = new Set(['run.released', 'run.resumed', 'user.cancel']);

function takeReceived({gates, asks, holds}: Waiting, step: Step, index: number): void {
  const event = receivedIn(step);
  if (!event) return;
  if (event['type'] === 'human.decided') {
    takeDecision(gates, event, index);
  } else if (event['type'] === 'person.replied') {
    const at = asks.findLastIndex(({ask}) => ask === event['ask']);
    const ask = asks[at];
    if (ask) asks[at] = {...ask, replied: index};
  } else if (event['type'] === 'run.held') {
    holds.push({index, event});
  } else if (releasing.has(event['type'])) {
    const last = holds.at(-1);
    if (last && last.ended === undefined) holds[holds.length - 1] = {...last, ended: index};
  }
}

/** Where the states are known, a question is open exactly while its effect is. */
function isOpenIn({open, actors}: Moment, key: string): boolean {
  return actors.size === 0 || [...open.values()].some((effect) => effect.key === key);
}

/** The gates that wait for a decision after the step with this index, whose moment is given. */
export function openGates(gates: readonly Gate[], index: number, moment: Moment): Gate[] {
  return gates.filter(
    (each) =>
      each.index <= index &&
      (each.decided?.index ?? Number.POSITIVE_INFINITY) > index &&
      isOpenIn(moment, each.gate),
  );
}

export function openAsks(asks: readonly Ask[], index: number, moment: Moment): Ask[] {
  return asks.filter(
    (each) =>
      each.index <= index &&
      (each.replied ?? Number.POSITIVE_INFINITY) > index &&
      isOpenIn(moment, each.ask),
  );
}

/** A hold ends early when its effect is cancelled. */
export function openHold(holds: readonly Hold[], index: number, moment: Moment): Hold | undefined {
  return holds.findLast(
    (each) =>
      each.index <= index &&
      (each.ended ?? Number.POSITIVE_INFINITY) > index &&
      isOpenIn(moment, textIn(each.event, 'effect') ?? ''),
  );
}
