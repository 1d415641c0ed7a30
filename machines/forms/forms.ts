/** The forms: which chart runs a dialogue of each kind, and what one that has not ended has done. A new form is a line. */

import type {AnyActorRef, MachineContext} from 'xstate';

import type {FormOutput, FormParts} from '../domain/result.ts';
import {asChart, type Chart, type ChartLogic, lookedUp} from '../machine-type.ts';
import type {FormEvent, FormInput} from '../tree/form-event.ts';
import {factsUnder, type Recorded} from '../tree/record.ts';
import {agentMachine} from './agent/agent.ts';
import {agentSoFar} from './agent/outcome.ts';
import {askMachine} from './ask/ask.ts';
import {askSoFar} from './ask/outcome.ts';
import {discussMachine} from './discuss/discuss.ts';
import {discussSoFar} from './discuss/outcome.ts';
import {reviewSoFar} from './review/review-state.ts';
import {reviewMachine} from './review/review.ts';

const forms = {
  agent: form(agentMachine, agentSoFar),
  ask: form(askMachine, askSoFar),
  discuss: form(discussMachine, discussSoFar),
  review: form(reviewMachine, reviewSoFar),
};

export type FormName = keyof typeof forms;

interface Form {
  readonly chart: Chart<MachineContext, FormEvent, FormInput, FormOutput>;
  readonly soFar: (actor: AnyActorRef) => FormParts;
}

/** `soFar` is given the state of the form's actor, and what it and all below it have told. */
function form<State extends object>(
  chart: Chart<State, FormEvent, FormInput, FormOutput>,
  soFar: (state: State, facts: readonly Recorded[]) => FormParts,
): Form {
  return {
    chart: asChart(chart),
    soFar: (actor) => soFar(actor.getSnapshot().context, factsUnder(actor)),
  };
}

interface NamedInput extends FormInput {
  readonly name: FormName;
}

/** Runs the form that its input names. */
export const formLogic: ChartLogic<MachineContext, FormEvent, NamedInput, FormOutput> = lookedUp(
  ({name}: NamedInput) => forms[name].chart,
);

/** What a form has done, told from its actor: what its output would hold but for its end. */
export function formSoFar(name: FormName, actor: AnyActorRef): FormParts {
  return forms[name].soFar(actor);
}
