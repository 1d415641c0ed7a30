/** What each agent of an interview is given, and what it comes to: what is known then, and where the conversation goes. */

import {type Failure, toFailure} from '../../../domain/failure.ts';
import type {Route} from '../../../questionnaire/answer-reading.ts';
import {type Dialogue, openDialogue, reopened, textsOf, withNotice} from '../dialogue.ts';
import type {AgentSettings} from '../interview-settings.ts';

export interface Assignment {
  readonly dialogue: Dialogue;
  readonly settings: AgentSettings;
}

export interface FieldAssignment extends Assignment {
  /** The field's id. */
  readonly field: string;
}

/** Where the conversation goes when an agent is done. */
export type Move =
  | {readonly to: 'next' | 'pause' | 'startOver' | 'submit'}
  /** To a field that the person wants to answer, or to answer anew: with these words, if there are any. */
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

/** The output of a final state behind a guard that has seen the field to go to. */
export function toField(dialogue: Dialogue, route: Route | undefined): Handover {
  if (route?.kind !== 'correct') return {dialogue, move: {to: 'next'}};
  const {kind: _, ...named} = route;
  return {dialogue, move: {to: 'field', ...named}};
}

/** The output of a final state of an agent that could not go on. */
export function failing({context: {dialogue, failure}}: End): Handover {
  return {dialogue, move: {to: 'failure', failure: failure ?? toFailure('it broke off')}};
}

/** What whoever has the agents work asks of a handover. */
export const handoverGuards = {
  isPause: (_: unknown, {move}: Handover) => move.to === 'pause',
  isRestart: (_: unknown, {move}: Handover) => move.to === 'startOver',
  isFailure: (_: unknown, {move}: Handover) => move.to === 'failure',
};

/** Whoever has the agents work takes in what one of them hands over. */
export function handedOver({dialogue, move}: Handover): Partial<End['context']> {
  if (move.to === 'startOver') return {dialogue: startedOver(dialogue)};
  if (move.to === 'failure') return {dialogue, failure: move.failure};
  if (move.to === 'field') return {dialogue: withChanges(dialogue, move)};
  return {dialogue};
}

/** The first is made now, the others when it is done. */
function withChanges(
  dialogue: Dialogue,
  {field, text, more = [], unread = []}: Extract<Move, {readonly to: 'field'}>,
): Dialogue {
  const {changes = []} = dialogue;
  const changing = reopened({...dialogue, changes: [...more, ...changes]}, field, text);
  return unread.length === 0
    ? changing
    : withNotice(changing, textsOf(dialogue).notChanged(unread));
}

/** The answers are gone; who the respondent is stays known. */
export function startedOver(dialogue: Dialogue): Dialogue {
  const {questionnaire, respondent, assumed, said, unusableModels} = dialogue;
  return {...openDialogue(questionnaire, respondent), assumed, said, unusableModels};
}
