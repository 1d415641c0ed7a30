/** The input and the output of the agents of an interview: the dialogue, and the next step of the conversation. */

import {type Failure, toFailure} from '../../../domain/failure.ts';
import type {Route} from '../../../questionnaire/answer-reading.ts';
import {type Dialogue, openDialogue, reopened} from '../dialogue.ts';
import type {AgentSettings} from '../interview-settings.ts';

export interface Assignment {
  readonly dialogue: Dialogue;
  readonly settings: AgentSettings;
}

export interface FieldAssignment extends Assignment {
  /** The field's id. */
  readonly field: string;
}

/** The next step of the conversation after an agent. */
export type Move =
  | {readonly to: 'next' | 'pause' | 'startOver' | 'submit'}
  /** To a field that the person wants to answer or to correct, with their words, if they gave any. */
  | ({readonly to: 'field'} & Omit<Extract<Route, {readonly kind: 'correct'}>, 'kind'>)
  | {readonly to: 'failure'; readonly failure: Failure};

export interface Handover {
  readonly dialogue: Dialogue;
  readonly move: Move;
}

interface End {
  readonly context: {readonly dialogue: Dialogue; readonly failure?: Failure};
}

/** The output of a final state. */
export function going(to: 'next' | 'pause' | 'startOver' | 'submit'): (end: End) => Handover {
  return ({context: {dialogue}}) => ({dialogue, move: {to}});
}

/** The output of a final state that goes to the field of a route. A guard has checked that the route names one. */
export function toField(dialogue: Dialogue, route: Route | undefined): Handover {
  if (route?.kind !== 'correct') return {dialogue, move: {to: 'next'}};
  const {kind: _, ...named} = route;
  return {dialogue, move: {to: 'field', ...named}};
}

/** The output of a final state of an agent that failed. */
export function failing({context: {dialogue, failure}}: End): Handover {
  return {
    dialogue,
    move: {to: 'failure', failure: failure ?? toFailure('the agent ended without a result')},
  };
}

/** Guards on a handover, for the charts that invoke the agents. */
export const handoverGuards = {
  isPause: (_: unknown, {move}: Handover) => move.to === 'pause',
  isRestart: (_: unknown, {move}: Handover) => move.to === 'startOver',
  isFailure: (_: unknown, {move}: Handover) => move.to === 'failure',
};

/** Applies a handover to the context of the chart that invoked the agent. */
export function handedOver({dialogue, move}: Handover): Partial<End['context']> {
  if (move.to === 'startOver') return {dialogue: startedOver(dialogue)};
  if (move.to === 'failure') return {dialogue, failure: move.failure};
  if (move.to === 'field') return {dialogue: reopened(dialogue, move.field, move.text)};
  return {dialogue};
}

/** Discards the answers, and keeps the settings of the respondent. */
export function startedOver(dialogue: Dialogue): Dialogue {
  const {questionnaire, respondent, assumed, said, unusableModels} = dialogue;
  return {...openDialogue(questionnaire, {...respondent, assumed}), said, unusableModels};
}
