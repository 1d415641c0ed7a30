/** The context of an interview, and its updates. */

import type {Failure} from '../../domain/failure.ts';
import {languageOfRequest} from '../../domain/language.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import type {PortOutcome} from '../../ports.ts';
import type {KnownRespondent, Respondent, Section} from '../../questionnaire/answers.ts';
import {defaultType, typeOf, typesThat} from '../../questionnaire/field-types.ts';
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

export type InterviewInput = Omit<
  FormInput<'interview' | 'agent' | 'maxOutputTokens'>,
  'asked' | 'attachments' | 'given' | 'diff'
>;

export interface InterviewState extends InterviewInput, Utterance {
  readonly respondent: KnownRespondent;
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

interface Beginning {
  readonly respondent: KnownRespondent;
  /** The request of the interaction above, whose language a spawned interview takes. */
  readonly above?: string | undefined;
}

function opened({respondent, above}: Beginning, questionnaire: Questionnaire): Dialogue {
  const {assumed = [], ...given} = respondent;
  const language = given.language ?? languageOfRequest(above ?? '');
  const known = above === undefined || language === undefined ? given : {...given, language};
  const unasked: readonly Section[] = above === undefined ? [] : ['language'];
  const all = [...assumed, ...unasked, ...unneededIn(questionnaire, known)];
  return openDialogue(questionnaire, {...known, assumed: [...new Set(all)]});
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

/** The unknown settings that no field and no fact needs. A needed time zone is inferred from the country. */
export function unneededIn(
  {fields, facts}: Questionnaire,
  {country, timezone}: Respondent,
): readonly Section[] {
  const given = new Set(fields.map(({type}) => type));
  const stated = facts.map(({doneCriteria = ''}) => doneCriteria).join('\n');
  const types = typesThat(({criteria}, type) => given.has(type) || criteria?.test(stated) === true);
  const needs = new Set(types.flatMap((type) => typeOf({type}).needs ?? []));
  const needsZone = needs.has('timezone') && timezone === undefined;
  return [
    ...(country === undefined && !needsZone && !needs.has('country') ? ['country' as const] : []),
    ...(timezone === undefined && !needsZone ? ['timezone' as const] : []),
  ];
}

/** The form of a request that names no form: its one field asks the request. */
function formOfRequest(request: string): Questionnaire {
  return {
    id: 'request',
    title: request,
    fields: [
      {
        id: 'answer',
        label: request,
        required: true,
        type: defaultType,
        sensitivity: 'none',
        order: 1,
      },
    ],
    facts: [],
  };
}
