/** The context of an interview, and its updates. */

import type {Failure} from '../../domain/failure.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import type {PortOutcome} from '../../ports.ts';
import type {Respondent} from '../../questionnaire/answers.ts';
import type {Questionnaire} from '../../questionnaire/questionnaire.ts';
import type {FormInput} from '../../tree/form-event.ts';
import type {Utterance} from './asking.ts';
import {
  applicable,
  type Dialogue,
  fieldOf,
  isDone,
  nextField,
  openDialogue,
  textsOf,
  withNotice,
} from './dialogue.ts';
import type {ReceivedReply} from './exchange.ts';
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

/** Adds a notice with the progress and the next question. */
export function recapped({dialogue}: InterviewState): Partial<InterviewState> {
  const fields = applicable(dialogue);
  const done = fields.filter(({id}) => isDone(dialogue, id)).length;
  const next = nextField(dialogue);
  const label = next === undefined ? undefined : fieldOf(dialogue, next).label;
  return {dialogue: withNotice(dialogue, textsOf(dialogue).recap(done, fields.length, label))};
}
