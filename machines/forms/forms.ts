/**
 * The forms: which chart runs a dialogue of each kind, what one that has not ended has done, and what it lets those below
 * it know. A new form is a line.
 */

import type {AnyActorRef, AnyMachineSnapshot, MachineContext} from 'xstate';

import type {InteractionForm} from '../domain/interaction-form.ts';
import type {FormOutput, FormParts} from '../domain/result.ts';
import {factsUnder, type Recorded} from '../facts/record.ts';
import {asChart, type Chart, type ChartLogic, lookedUp} from '../machine-type.ts';
import {briefOf, type Shared, type SharedPart} from '../prompts/inherited.ts';
import type {FormEvent, FormInput} from '../tree/form-event.ts';
import {agentMachine} from './agent/agent.ts';
import {agentSoFar} from './agent/outcome.ts';
import {agentShared} from './agent/shared.ts';
import {askMachine} from './ask/ask.ts';
import {askSoFar} from './ask/outcome.ts';
import {askShared} from './ask/shared.ts';
import {commandSoFar, commandShared} from './command/command-state.ts';
import {commandMachine} from './command/command.ts';
import {discussMachine} from './discuss/discuss.ts';
import {discussSoFar} from './discuss/outcome.ts';
import {discussShared} from './discuss/shared.ts';
import {interviewMachine} from './interview/interview.ts';
import {interviewShared, interviewSoFar} from './interview/outcome.ts';
import {phaseOf} from './phases.ts';
import {reviewSoFar} from './review/review-state.ts';
import {reviewMachine} from './review/review.ts';
import {reviewShared} from './review/shared.ts';

const forms: Readonly<Record<InteractionForm, Form>> = {
  agent: form(agentMachine, agentSoFar, agentShared),
  ask: form(askMachine, askSoFar, askShared),
  command: form(commandMachine, commandSoFar, commandShared),
  discuss: form(discussMachine, discussSoFar, discussShared),
  interview: form(interviewMachine, interviewSoFar, interviewShared),
  review: form(reviewMachine, reviewSoFar, reviewShared),
};

interface Form {
  readonly chart: Chart<MachineContext, FormEvent, FormInput, FormOutput>;
  readonly soFar: (actor: AnyActorRef) => FormParts;
  readonly shared: (actor: AnyActorRef) => readonly SharedPart[];
}

/**
 * `soFar` and `shared` are given the state of the form's actor, what it and all below it have told, and the actor.
 */
function form<State extends object>(
  chart: Chart<State, FormEvent, FormInput, FormOutput>,
  soFar: (state: State, facts: readonly Recorded[], actor: AnyActorRef) => FormParts,
  shared: (state: State, facts: readonly Recorded[], actor: AnyActorRef) => readonly SharedPart[],
): Form {
  return {
    chart: asChart(chart),
    soFar: (actor) => soFar(actor.getSnapshot().context, factsUnder(actor), actor),
    shared: (actor) => shared(actor.getSnapshot().context, factsUnder(actor), actor),
  };
}

interface NamedInput extends FormInput {
  readonly name: InteractionForm;
}

/** Runs the form that its input names. */
export const formLogic: ChartLogic<MachineContext, FormEvent, NamedInput, FormOutput> = lookedUp(
  ({name}: NamedInput) => forms[name].chart,
);

/** What a form has done, told from its actor: what its output would hold but for its end. */
export function formSoFar(name: InteractionForm, actor: AnyActorRef): FormParts {
  return forms[name].soFar(actor);
}

/** What a form lets those below it know, told from its actor: of itself, then what it was let know. */
export function sharedBy(name: InteractionForm, actor: AnyActorRef): Shared {
  const snapshot: AnyMachineSnapshot = actor.getSnapshot();
  const {inherited = ''}: Pick<FormInput, 'inherited'> = snapshot.context;
  return {
    from: [name, phaseOf(snapshot)].filter((word) => word !== undefined).join(', '),
    parts: [
      ...forms[name].shared(actor),
      {title: 'Known to it from above', text: inherited, brief: briefOf(inherited)},
    ],
  };
}
