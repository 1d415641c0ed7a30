/** The context of an interview, and its updates. */

import type {Failure} from '../../domain/failure.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import type {PortOutcome} from '../../ports.ts';
import type {Respondent} from '../../questionnaire/answers.ts';
import type {Questionnaire} from '../../questionnaire/questionnaire.ts';
import type {FormInput} from '../../tree/form-event.ts';
import {sectionsOpen} from './agents/agent-turn.ts';
import {
  exchangeInput,
  isSensitive,
  recordReply,
  type Topic,
  utter,
  type Utterance,
} from './asking.ts';
import {
  applicable,
  type Dialogue,
  fieldOf,
  isDone,
  nextField,
  openDialogue,
  recordOf,
  reopened,
  textsOf,
  withNotice,
  withRecord,
} from './dialogue.ts';
import type {ExchangeInput, ExchangeOutput, ReceivedReply} from './exchange.ts';
import {type AgentSettings, agentSettings} from './interview-settings.ts';
import {formOfRequest, openSpawned} from './spawned.ts';

export type InterviewInput = Omit<
  FormInput<'interview' | 'agent' | 'maxOutputTokens'>,
  'asked' | 'attachments' | 'given' | 'diff'
>;

export interface InterviewState extends InterviewInput, Utterance {
  readonly respondent: Respondent;
  readonly route: ReceivedReply['route'];
  readonly failure?: Failure;
}

const nothing: Questionnaire = {id: '', title: '', fields: [], facts: []};

export function openInterview(input: InterviewInput): InterviewState {
  const {respondent = {}, ...rest} = input;
  const {above, questionnaire} = rest;
  return {
    ...rest,
    respondent,
    dialogue: opened({respondent, above}, questionnaire ?? nothing),
    message: '',
    route: {kind: 'unclear'},
  };
}

export function agentsOf({settings}: InterviewState): AgentSettings {
  return agentSettings(settings);
}

export function formRead(
  state: InterviewState,
  outcome: PortOutcome<'readQuestionnaire'>,
): Partial<InterviewState> {
  if (outcome.kind === 'invalid') return {failure: {code: 'config', message: outcome.problem}};
  const questionnaire =
    outcome.kind === 'read' ? outcome.questionnaire : formOfRequest(state.request);
  return {questionnaire, dialogue: opened(state, questionnaire)};
}

function opened(
  {respondent, above}: {readonly respondent: Respondent; readonly above?: string | undefined},
  questionnaire: Questionnaire,
): Dialogue {
  return above === undefined
    ? openDialogue(questionnaire, respondent)
    : openSpawned(questionnaire, respondent, above);
}

export function settingsTaken(
  {settings}: InterviewState,
  change: SettingsChange,
): Partial<InterviewState> {
  return {settings: changeSettings(settings, change)};
}

export const pauseTopic: Topic = {agent: 'interviewer', state: 'paused'};

export function pauseAsked({dialogue}: InterviewState): Utterance {
  return utter(dialogue, pauseTopic, textsOf(dialogue).paused);
}

/** The reply may answer the open field, so its privacy applies. */
export function pauseInput(state: InterviewState): ExchangeInput {
  const field = fieldInPause(state.dialogue);
  const isMasked = field !== undefined && isSensitive(state.dialogue, field);
  return {...exchangeInput(state, pauseTopic), ...(isMasked ? {isMasked} : {})};
}

export function pauseReplied(
  state: InterviewState,
  output: ExchangeOutput,
): Partial<InterviewState> {
  if (output.kind === 'lost') return {failure: output.failure};
  const route = routeInPause(state.dialogue, output);
  const replied = recordReply(state.dialogue, pauseTopic, {...output, route});
  if (route.kind !== 'correct') return {route, dialogue: replied};
  const isOpen = output.route.kind === 'answer';
  return {
    route,
    dialogue: isOpen
      ? withFurtherReply(replied, route.field, output.text)
      : reopened(replied, route.field, route.text),
  };
}

/** An answer is for the field that is open in the pause, if one is. */
function routeInPause(dialogue: Dialogue, {route, text}: ReceivedReply): ReceivedReply['route'] {
  const field = fieldInPause(dialogue);
  const isAnswer = route.kind === 'answer' && field !== undefined;
  return isAnswer ? {kind: 'correct', field, text} : route;
}

/** While the greeter still has questions, no field is open. */
function fieldInPause(dialogue: Dialogue): string | undefined {
  return sectionsOpen(dialogue).length === 0 ? nextField(dialogue) : undefined;
}

/** Earlier replies on the field count, too. */
function withFurtherReply(dialogue: Dialogue, id: string, text: string): Dialogue {
  const {replies} = recordOf(dialogue, id);
  return {...withRecord(dialogue, id, {replies: [...replies, {text}]}), next: id};
}

/** Adds a notice with the progress and the next question. */
export function recapped({dialogue}: InterviewState): Partial<InterviewState> {
  const fields = applicable(dialogue);
  const done = fields.filter(({id}) => isDone(dialogue, id)).length;
  const next = nextField(dialogue);
  const label = next === undefined ? undefined : fieldOf(dialogue, next).label;
  return {dialogue: withNotice(dialogue, textsOf(dialogue).recap(done, fields.length, label))};
}
