/**
 * The forms: which chart runs a dialogue of each kind, what one that has not ended has done, what it lets those below
 * it know, and how its conversation stands. A new form is a line here; `interaction-form.ts` lists the other places.
 */

import type {AnyActorRef, MachineContext} from 'xstate';

import type {InteractionForm} from '../domain/interaction-form.ts';
import type {FormOutput, FormParts} from '../domain/result.ts';
import {asChart, type Chart, type ChartLogic, lookedUp} from '../machine-type.ts';
import {briefOf, type Shared, type SharedPart} from '../prompts/inherited.ts';
import type {InterviewView} from '../questionnaire/answers.ts';
import type {FormEvent, FormInput} from '../tree/form-event.ts';
import {formNow, type FormNow, formState} from '../tree/form-now.ts';
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
import {interviewShared, interviewSoFar, interviewView} from './interview/outcome.ts';
import {phaseOf} from './phases.ts';
import {reviewSoFar} from './review/review-state.ts';
import {reviewMachine} from './review/review.ts';
import {reviewShared} from './review/shared.ts';

const forms: Readonly<Record<InteractionForm, Form>> = {
  agent: form(agentMachine, agentSoFar, agentShared),
  ask: form(askMachine, askSoFar, askShared),
  command: form(commandMachine, commandSoFar, commandShared),
  discuss: form(discussMachine, discussSoFar, discussShared),
  interview: form(interviewMachine, interviewSoFar, interviewShared, interviewView),
  review: form(reviewMachine, reviewSoFar, reviewShared),
};

interface Form {
  readonly chart: Chart<MachineContext, FormEvent, FormInput, FormOutput>;
  readonly partialResult: (actor: AnyActorRef) => FormParts;
  readonly shared: (actor: AnyActorRef) => readonly SharedPart[];
  readonly view?: (actor: AnyActorRef) => InterviewView | undefined;
}

function form<State extends object>(
  chart: Chart<State, FormEvent, FormInput, FormOutput>,
  partialResult: (now: FormNow<State>) => FormParts,
  shared: (now: FormNow<State>) => readonly SharedPart[],
  view?: (now: FormNow<State>) => InterviewView | undefined,
): Form {
  return {
    chart: asChart(chart),
    partialResult: (actor) => partialResult(formNow(actor)),
    shared: (actor) => shared(formNow(actor)),
    ...(view ? {view: (actor) => view(formNow(actor))} : {}),
  };
}

interface NamedInput extends FormInput {
  readonly name: InteractionForm;
}

/** Runs the form that its input names. */
export const formLogic: ChartLogic<MachineContext, FormEvent, NamedInput, FormOutput> = lookedUp(
  ({name}: NamedInput) => forms[name].chart,
);

/** The result of a form that has not ended. */
export function formPartialResult(name: InteractionForm, actor: AnyActorRef): FormParts {
  return forms[name].partialResult(actor);
}

/** The conversation of a form as it stands; undefined for a form that has none. */
export function formView(name: InteractionForm, actor: AnyActorRef): InterviewView | undefined {
  return forms[name].view?.(actor);
}

/** What a form shares with those below it: its own state, then what it inherited. */
export function sharedBy(name: InteractionForm, actor: AnyActorRef): Shared {
  const {state, at} = formState<Pick<FormInput, 'inherited'>>(actor);
  const {inherited = ''} = state;
  return {
    from: [name, phaseOf(at)].filter((word) => word !== undefined).join(', '),
    parts: [
      ...forms[name].shared(actor),
      {title: 'Known to it from above', text: inherited, brief: briefOf(inherited)},
    ],
  };
}
