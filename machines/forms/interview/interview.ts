/**
 * The interview form: a form that a person fills by conversation.
 *
 * opened → greeting → designing → interviewing, one field after the other → confirming → submitted; back to interviewing
 * for a change
 * Each of these may be paused and continued. Other ends: cancelled, errored.
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import type {FormOutput} from '../../domain/result.ts';
import type {SettingsChange} from '../../domain/settings.ts';
import type {Fact} from '../../facts/fact.ts';
import {report} from '../../facts/record.ts';
import {asChart} from '../../machine-type.ts';
import {type PortOutcome, readQuestionnaire} from '../../ports.ts';
import {isPause} from '../../questionnaire/answer-reading.ts';
import {maskedAnswers} from '../../questionnaire/private-answers.ts';
import type {Questionnaire} from '../../questionnaire/questionnaire.ts';
import {contextsInside, type FormEvent} from '../../tree/form-event.ts';
import {phase, reportPhase} from '../phases.ts';
import {sectionsOpen} from './agents/agent-loop.ts';
import {architectMachine} from './agents/architect.ts';
import {greeterMachine} from './agents/greeter.ts';
import {
  type FieldAssignment,
  handedOver,
  type Handover,
  handoverGuards,
  startedOver,
} from './agents/handover.ts';
import {confirmationMachine} from './confirmation.ts';
import {
  applicable,
  type Dialogue,
  isDone,
  nextField,
  openDialogue,
  recordOf,
  reopened,
  requiredOpen,
  settled,
  textsOf,
  withNotice,
  withRecord,
} from './dialogue.ts';
import {
  exchangeInput,
  type ExchangeInput,
  exchangeMachine,
  type ExchangeOutput,
  isSensitive,
  type ReceivedReply,
  recordReply,
  type Topic,
  utter,
  type Utterance,
} from './exchange.ts';
import {fieldMachine} from './field/field.ts';
import {
  agentsOf,
  answersOf,
  ending,
  formRead,
  innermostDialogue,
  type InterviewInput,
  type InterviewState,
  openInterview,
  recapped,
  settingsTaken,
} from './interview-state.ts';

const chart = setup({
  types: {} as {
    context: InterviewState;
    input: InterviewInput;
    output: FormOutput;
    events: FormEvent;
    tags: 'choice' | 'failure' | 'phase';
  },
  actors: {
    architect: architectMachine,
    confirmation: confirmationMachine,
    exchange: exchangeMachine,
    field: fieldMachine,
    greeter: greeterMachine,
    readQuestionnaire,
  },
  actions: {
    reportPhase,
    takeForm: assign(({context}, outcome: PortOutcome<'readQuestionnaire'>) =>
      formRead(context, outcome),
    ),
    takeChangedForm: assign(({context, self}, form: Questionnaire) => ({
      questionnaire: form,
      dialogue: withChangedForm(innermostDialogue(context, contextsInside(self)), form),
    })),
    takeHandover: assign((_, handover: Handover) => handedOver(handover)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    takeSettings: assign(({context}, change: SettingsChange) => settingsTaken(context, change)),
    keepDialogue: assign(({context, self}) => ({
      dialogue: innermostDialogue(context, contextsInside(self)),
    })),
    askToContinue: assign(({context}) => pauseAsked(context)),
    takeReply: assign(({context}, output: ExchangeOutput) => pauseReplied(context, output)),
    recap: assign(({context}) => recapped(context)),
    startOver: assign(({context: {dialogue}}) => ({dialogue: startedOver(dialogue)})),
    reportChange: report(({context}, {dialogue}: Handover) => changeReport(context, dialogue)),
    reportSubmission: report(({context}) => ({
      type: 'interview.submitted',
      answers: maskedAnswers(answersOf(context, 'submitted')),
    })),
  },
  guards: {
    hasForm: ({context: {questionnaire}}) => questionnaire !== undefined,
    isInvalid: (_, {kind}: PortOutcome<'readQuestionnaire'>) => kind === 'invalid',
    ...handoverGuards,
    isOpen: ({context: {dialogue}}) => nextField(dialogue) !== undefined,
    isSubmission: (_, {dialogue, move}: Handover) =>
      move.to === 'submit' && requiredOpen(dialogue).length === 0,
    isLost: (_, {kind}: ExchangeOutput) => kind === 'lost',
    isStay: (_, output: ExchangeOutput) => output.kind === 'replied' && staysPaused(output),
    isStartOver: ({context: {route}}) => route.kind === 'startOver',
    isGreeted: ({context: {dialogue}}) => sectionsOpen(dialogue).length === 0,
    isCorrection: ({context: {route}}) => route.kind === 'correct',
  },
});

const leaving = [
  when('isPause', '#interview.paused', 'takeHandover'),
  when('isFailure', '#interview.errored', 'takeHandover'),
] as const;

const crashing = onCrash('#interview.errored', 'takeFailure');

const changing = {
  type: 'takeChangedForm',
  params: ({event}: {readonly event: {readonly questionnaire: Questionnaire}}) =>
    event.questionnaire,
} as const;

// A paused interview: its message, and the reply that continues it.

const pauseTopic: Topic = {agent: 'interviewer', state: 'paused'};

const machine = chart.createMachine({
  id: 'interview',
  context: ({input}) => openInterview(input),
  initial: 'opened',
  on: {
    'settings.changed': {
      actions: {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
    },
    'user.cancel': {target: '.cancelled', actions: 'keepDialogue'},
  },
  states: {
    opened: {
      tags: 'choice',
      always: [{guard: 'hasForm', target: 'talking'}, {target: 'reading'}],
    },
    reading: {
      invoke: {
        src: 'readQuestionnaire',
        id: 'form',
        input: ({context: {workspace, request}}) => ({workspace, name: request}),
        onDone: [when('isInvalid', 'errored', 'takeForm'), otherwise('talking', 'takeForm')],
        onError: crashing,
      },
    },
    talking: {
      initial: 'greeting',
      on: {
        'form.changed': {target: '.designing', reenter: true, actions: changing},
      },
      states: {
        greeting: {
          ...phase('greeting'),
          on: {'form.changed': {target: 'greeting', reenter: true, actions: changing}},
          invoke: {
            src: 'greeter',
            id: 'greeter',
            input: ({context}) => ({dialogue: context.dialogue, settings: agentsOf(context)}),
            onDone: [...leaving, otherwise('designing', 'takeHandover')],
            onError: crashing,
          },
        },
        designing: {
          ...phase('designing'),
          invoke: {
            src: 'architect',
            id: 'architect',
            input: ({context}) => ({dialogue: context.dialogue, settings: agentsOf(context)}),
            onDone: otherwise('interviewing', 'takeHandover'),
            onError: crashing,
          },
        },
        interviewing: {
          ...phase('interviewing'),
          initial: 'advanced',
          states: {
            advanced: {
              tags: 'choice',
              always: [
                {guard: 'isOpen', target: 'conducting'},
                {target: '#interview.talking.confirming'},
              ],
            },
            conducting: {
              invoke: {
                src: 'field',
                id: 'interviewer/field',
                input: ({context}) => fieldInput(context),
                onDone: [
                  ...leaving,
                  when('isRestart', '#interview.talking.designing', 'takeHandover'),
                  otherwise('advanced', 'reportChange', 'takeHandover'),
                ],
                onError: crashing,
              },
            },
          },
        },
        confirming: {
          ...phase('confirming'),
          invoke: {
            src: 'confirmation',
            id: 'confirmation',
            input: ({context: {dialogue}}) => ({dialogue}),
            onDone: [
              when('isSubmission', '#interview.submitted', 'takeHandover'),
              ...leaving,
              when('isRestart', 'designing', 'takeHandover'),
              otherwise('interviewing', 'takeHandover'),
            ],
            onError: crashing,
          },
        },
      },
    },
    paused: {
      ...phase('paused', 'askToContinue'),
      on: {'form.changed': {actions: changing}},
      invoke: {
        src: 'exchange',
        id: 'pause',
        input: ({context}) => pauseInput(context),
        onDone: [
          when('isLost', 'errored', 'takeReply'),
          {
            guard: {type: 'isStay', params: outputIn},
            target: 'paused',
            reenter: true,
            actions: {type: 'takeReply', params: outputIn},
          },
          otherwise('continued', 'takeReply'),
        ],
        onError: crashing,
      },
    },
    continued: {
      tags: 'choice',
      always: [
        {guard: 'isStartOver', target: 'talking', actions: 'startOver'},
        {guard: 'isCorrection', target: 'talking.interviewing'},
        {guard: 'isGreeted', target: 'talking.interviewing', actions: 'recap'},
        {target: 'talking', actions: 'recap'},
      ],
    },
    submitted: {type: 'final', entry: 'reportSubmission', output: ending('completed')},
    cancelled: {type: 'final', tags: 'failure', output: ending('cancelled')},
    errored: {type: 'final', tags: 'failure', output: ending('error')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const interviewMachine = asChart<InterviewState, FormEvent, InterviewInput, FormOutput>(
  machine,
);

/** The open field. It stays the same until the field hands over: the dialogue of the interview changes only then. */
function fieldNow({dialogue}: InterviewState): string {
  return nextField(dialogue) ?? '';
}

function fieldInput(state: InterviewState): FieldAssignment {
  return {dialogue: state.dialogue, settings: agentsOf(state), field: fieldNow(state)};
}

function changeReport(state: InterviewState, dialogue: Dialogue): Fact {
  const field = fieldNow(state);
  const fields = applicable(dialogue);
  return {
    type: 'interview.changed',
    field,
    status: recordOf(dialogue, field).status,
    done: fields.filter(({id}) => isDone(dialogue, id)).length,
    of: fields.length,
  };
}

// Applies a form that has changed while a person fills it.

/**
 * The dialogue with the changed form. New fields are pending, and removed fields are dropped. A done field whose definition or
 * facts have changed is asked again. All conditions are evaluated again.
 */
function withChangedForm(dialogue: Dialogue, questionnaire: Questionnaire): Dialogue {
  const {respondent, assumed, said, unusableModels, notices} = dialogue;
  const known = {assumed, said, unusableModels, notices};
  const opened = {...openDialogue(questionnaire, respondent), ...known};
  const kept = questionnaire.fields.filter(({id}) => Object.hasOwn(dialogue.fields, id));
  const filled = kept.reduce((now, {id}) => {
    const record = recordOf(dialogue, id);
    const isStale = record.status === 'done' && !isSameField(dialogue, questionnaire, id);
    return withRecord(now, id, isStale ? {...record, status: 'stale'} : record);
  }, opened);
  const order = [
    ...dialogue.order.filter((id) => kept.some((field) => field.id === id)),
    ...opened.order.filter((id) => !Object.hasOwn(dialogue.fields, id)),
  ];
  return withNotice(settled({...filled, order}), textsOf(dialogue).formChanged);
}

function isSameField({questionnaire: before}: Dialogue, after: Questionnaire, id: string): boolean {
  const askedFor = ({fields, facts}: Questionnaire): string =>
    JSON.stringify([
      fields.find((each) => each.id === id),
      facts.filter(({field}) => field === id),
    ]);
  return askedFor(before) === askedFor(after);
}

function pauseAsked({dialogue}: InterviewState): Utterance {
  return utter(dialogue, pauseTopic, textsOf(dialogue).paused);
}

/** The reply may answer the open field, so its privacy applies. */
function pauseInput(state: InterviewState): ExchangeInput {
  const field = fieldInPause(state.dialogue);
  const isMasked = field !== undefined && isSensitive(state.dialogue, field);
  return {...exchangeInput(state, pauseTopic), ...(isMasked ? {isMasked} : {})};
}

/** The person asks for help, or wants to come back later. */
function staysPaused({route}: ReceivedReply): boolean {
  return route.kind === 'help' || isPause(route);
}

function pauseReplied(state: InterviewState, output: ExchangeOutput): Partial<InterviewState> {
  if (output.kind === 'lost') return {failure: output.failure};
  const route = routeInPause(state.dialogue, output);
  const replied = recordReply(state.dialogue, pauseTopic, {...output, route});
  if (route.kind === 'help') {
    return {route, dialogue: withNotice(replied, textsOf(replied).help)};
  }
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
