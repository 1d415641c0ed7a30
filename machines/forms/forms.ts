/**
 * The registry of forms: the chart, the partial result, the shared context and the conversation view of each. A new form is
 * a line here; `interaction-form.ts` lists the other places.
 */

import type {AnyActorRef, MachineContext} from 'xstate';

import type {InteractionForm} from '../domain/interaction-form.ts';
import type {FormOutput, FormParts} from '../domain/result.ts';
import {asChart, type Chart, type ChartLogic, lookedUp} from '../machine-type.ts';
import {briefOf, type Shared, type SharedPart} from '../prompts/inherited.ts';
import type {InterviewView} from '../questionnaire/answers.ts';
import {
  type FormEvent,
  type FormInput,
  formNow,
  type FormNow,
  formState,
} from '../tree/form-event.ts';
import {agentMachine} from './agent/agent.ts';
import {agentPartialResult, agentShared} from './agent/outcome.ts';
import {askPartialResult, askShared} from './ask/ask-state.ts';
import {askMachine} from './ask/ask.ts';
import {commandMachine, commandPartialResult, commandShared} from './command/command.ts';
import {discussMachine} from './discuss/discuss.ts';
import {discussPartialResult, discussShared} from './discuss/outcome.ts';
import {
  interviewPartialResult,
  interviewShared,
  interviewView,
} from './interview/interview-state.ts';
import {interviewMachine} from './interview/interview.ts';
import {phaseOf} from './phases.ts';
import {reviewMachine, reviewPartialResult, reviewShared} from './review/review.ts';

const forms: Readonly<Record<InteractionForm, Form>> = {
  agent: form(agentMachine, agentPartialResult, agentShared),
  ask: form(askMachine, askPartialResult, askShared),
  command: form(commandMachine, commandPartialResult, commandShared),
  discuss: form(discussMachine, discussPartialResult, discussShared),
  interview: form(interviewMachine, interviewPartialResult, interviewShared, interviewView),
  review: form(reviewMachine, reviewPartialResult, reviewShared),
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

/** Runs the form named in the input. */
export const formLogic: ChartLogic<MachineContext, FormEvent, NamedInput, FormOutput> = lookedUp(
  ({name}: NamedInput) => forms[name].chart,
);

/** The result up to now of a form that is active. */
export function formPartialResult(name: InteractionForm, actor: AnyActorRef): FormParts {
  return forms[name].partialResult(actor);
}

/** The current conversation of a form. Undefined for a form without one. */
export function formView(name: InteractionForm, actor: AnyActorRef): InterviewView | undefined {
  return forms[name].view?.(actor);
}

/** The context that a form shares with its children: its own state, then its inherited context. */
export function sharedBy(name: InteractionForm, actor: AnyActorRef, inherited = ''): Shared {
  return {
    from: [name, phaseOf(formState(actor).at)].filter((word) => word !== undefined).join(', '),
    parts: [
      ...forms[name].shared(actor),
      {title: 'Context from its own parent', text: inherited, brief: briefOf(inherited)},
    ],
  };
}
