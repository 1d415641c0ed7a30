/** Folds over the steps of a trace, continued as steps arrive: each step is visited once. */

import {asJson, isJsonObject, type JsonObject} from '../../../../../machines/domain/json.ts';
import type {Moments} from '../../../../../machines/trace/moments.ts';
import type {Step} from '../../../../../machines/trace/step.ts';

/** `add` changes the state in place. */
export function foldSteps<State>(
  begin: () => State,
  add: (state: State, step: Step, index: number) => void,
): (moments: Moments) => State {
  const states = new WeakMap<Moments, {readonly state: State; count: number}>();
  return (moments) => {
    const known = states.get(moments) ?? {state: begin(), count: 0};
    const {steps} = moments;
    for (; known.count < steps.length; known.count += 1) {
      const step = steps[known.count];
      if (step) add(known.state, step, known.count);
    }
    states.set(moments, known);
    return known.state;
  };
}

/** A report, or the note of a journal entry. Where the states are known, a step has both for a noted report. */
export interface PlacedFact {
  readonly fact: JsonObject;
  /** The path of the actor that reported it. */
  readonly actor: string;
}

export function factsOf({reports, cause}: Step): PlacedFact[] {
  const facts = reports.map(({report, actor}) => ({fact: asJson(report), actor}));
  const note = noteIn(cause);
  const by = note?.['actor'];
  return note ? [...facts, {fact: note, actor: typeof by === 'string' ? by : ''}] : facts;
}

function noteIn(cause: Step['cause']): JsonObject | undefined {
  if (cause.kind !== 'entry' || cause.entry.type !== 'noted') return undefined;
  const note = cause.entry['note'];
  return isJsonObject(note) ? note : undefined;
}

/** The event of a `received` entry with this type, or of a program. */
export function receivedIn({cause}: Step): JsonObject | undefined {
  if (cause.kind === 'event') return cause.event;
  const event = cause.entry.type === 'received' ? cause.entry['event'] : undefined;
  return isJsonObject(event) ? event : undefined;
}
