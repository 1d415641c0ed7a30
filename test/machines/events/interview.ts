/** Interviews to explore: people who say anything, answers that are wrong, models that fail, forms that can't be read. */

import type {AnyEventObject} from 'xstate';

import type {Settings} from '../../../machines/domain/settings.ts';
import {interviewMachine} from '../../../machines/forms/interview/interview.ts';
import type {ReplyToRead, Route} from '../../../machines/questionnaire/answer-reading.ts';
import type {Questionnaire} from '../../../machines/questionnaire/questionnaire.ts';
import {crash, type Logged, type OpenRequest} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {interviewLaws} from '../laws-forms.ts';
import {type Answers, answering, calling, callingAll, failing, saying} from './outcomes.ts';
import {smallSettings} from './settings.ts';

const field = {type: 'text', sensitivity: 'none'} as const;

export const form: Questionnaire = {
  id: 'trip',
  title: 'Your trip',
  fields: [
    {...field, id: 'name', label: 'Your name', required: true, order: 1},
    {...field, id: 'size', label: 'Shirt size', required: false, order: 2},
  ],
  facts: [{field: 'name', key: 'family', fact: 'Family name'}],
};

/** It needs a time zone, and so a country. */
const datedForm: Questionnaire = {
  ...form,
  fields: form.fields.map((each) => (each.id === 'size' ? {...each, type: 'date'} : each)),
};

export const known = {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'};

export function settingsOf(model: string): Settings {
  const interview = {model, reviewer: model, maxLoops: 2, maxFollowUps: 1};
  return {...smallSettings('interactive', []), interview};
}

function inputOf(model: string, more: object = {questionnaire: form, respondent: known}): object {
  return {request: 'Your trip', workspace: '/w', settings: settingsOf(model), ...more};
}

type AnswerFunction = Extract<Answers[string], (...given: never) => unknown>;

/** The subject of a reply. */
function aboutOf({about}: ReplyToRead): string {
  return 'field' in about
    ? about.field
    : 'section' in about
      ? about.section
      : 'paused' in about
        ? 'paused'
        : 'confirmation';
}

const read = (route: Route): object => ({route, found: []});
const kinds = (
  ...names: readonly Exclude<Route['kind'], 'language' | 'setting' | 'correct'>[]
): object[] => names.map((kind) => read({kind}));
const toName = read({kind: 'correct', field: 'name', text: 'Bob'});

/** The readings of a cooperative person, who answers every question and then submits. */
function steady(request: ReplyToRead): object[] {
  const about = aboutOf(request);
  if (about === 'paused') return kinds('continue');
  if (about !== 'confirmation') return kinds('answer');
  return request.done.includes('name') ? kinds('confirm') : [toName];
}

/** Readings of a reply by its subject: `first` for the first reply, then those of a cooperative person. */
function replies(first: Readonly<Record<string, readonly object[]>>): AnswerFunction {
  return (_, open, log) => {
    if (open.port !== 'readReply') return [];
    const about = aboutOf(open.request);
    const isFirst = !log.some(
      (each) =>
        each.type === 'settled' && each.port === 'readReply' && aboutOf(each.request) === about,
    );
    return (isFirst ? first[about] : undefined) ?? steady(open.request);
  };
}

const value = ({request}: Extract<OpenRequest, {port: 'checkAnswer'}>): object => ({
  value: request.replies.at(-1)?.text ?? '',
  quote: request.replies.at(-1)?.text ?? '',
  facts: {},
  problems: [],
  missing: [],
  suffices: true,
});

/** Finds every answer right. */
const right: AnswerFunction = (_, open) => (open.port === 'checkAnswer' ? [value(open)] : []);

const said: Answers = {
  askPerson: [{text: 'Ann'}],
  readReply: replies({}),
  checkAnswer: right,
  readSetting: [{value: 'en'}],
};

/** Asks once, then has the answer reviewed. */
function led({request}: Extract<OpenRequest, {port: 'callModel'}>): object {
  const last = request.transcript.messages.at(-1);
  const isAnswered = last?.role === 'tool' ? last.name === 'ask' && !last.isError : false;
  return isAnswered ? calling('subtask', {agent: 'reviewer'}) : calling('ask', {message: 'Well?'});
}

const leads =
  (...first: readonly object[]): AnswerFunction =>
  (before, open) =>
    open.port === 'callModel' ? [led(open), ...(before < 2 ? first : [])] : [];

const once =
  (good: object, ...first: readonly object[]): AnswerFunction =>
  (before) =>
    before === 0 ? [good, ...first] : [good];

const pass = calling('review', {passed: true, field_value: 'Ann'});
const planned = (...ids: readonly string[]): object =>
  calling('create_plan', {
    fields: ids.map((id) => ({field_id: id, label: id, required: id === 'name'})),
  });

const byModels: Answers = {
  ...said,
  interview: leads(),
  'design-interview': [planned('size', 'name')],
  'review-answer': [pass],
};

function hasCome(type: string, log: readonly Logged[]): boolean {
  return log.some((each) => each.type === 'sent' && each.event.type === type);
}

interface World {
  readonly name: string;
  readonly answers: Answers;
  readonly isLed?: true;
  readonly isWhole?: true;
  readonly input?: object;
  readonly messages?: readonly AnyEventObject[];
}

const worlds: readonly World[] = [
  {
    name: 'in which a person may say anything',
    answers: {
      ...said,
      readReply: replies({
        name: [
          ...kinds('answer', 'skip', 'decline', 'pause'),
          read({kind: 'correct', field: 'size', text: 'L'}),
        ],
        size: [...kinds('answer', 'skip', 'quit', 'startOver'), toName],
        confirmation: [...kinds('confirm', 'pause', 'startOver'), toName],
        paused: [...kinds('continue', 'startOver', 'help'), toName],
      }),
    },
  },
  {
    name: 'in which one reply answers two fields, or answers are submitted at a word',
    answers: {
      ...said,
      askPerson: (before, open) =>
        open.port === 'askPerson' && open.request.state === 'confirming' && before < 5
          ? [{text: 'yes'}, {text: '', confirms: true}, {text: 'Bob', field: 'name'}]
          : [{text: 'Ann, L'}],
      readReply: replies({
        name: [
          {route: {kind: 'answer'}, found: [{field: 'size', value: 'L', quote: 'L'}]},
          ...kinds('why', 'unclear'),
          read({kind: 'correct', field: 'name'}),
          read({kind: 'language', language: 'ja'}),
        ],
        confirmation: [
          {route: {kind: 'answer'}, found: [{field: 'size', value: 'M', quote: 'M'}]},
          read({kind: 'language', language: 'ja'}),
          read({kind: 'setting', section: 'timezone', value: 'Europe/Berlin'}),
          ...kinds('unclear', 'help'),
        ],
      }),
    },
  },
  {
    name: 'in which answers may be wrong or incomplete, or their check may crash',
    answers: {
      ...said,
      checkAnswer: (before, open) => {
        if (open.port !== 'checkAnswer') return [];
        const sound = value(open);
        const faulty = [
          {...sound, problems: ['That is no name.']},
          {...sound, missing: ['family']},
          crash,
        ];
        return before < 3 ? [sound, ...faulty] : [sound];
      },
    },
  },
  {
    name: 'in which a person may cancel at every moment',
    answers: {...said, readReply: replies({name: kinds('answer', 'pause')})},
    messages: [{type: 'user.cancel'}],
  },
  {
    name: 'whose form and settings may change at every moment',
    answers: {...said, readReply: replies({name: kinds('answer', 'pause')})},
    messages: [
      {type: 'form.changed', questionnaire: {...form, fields: form.fields.slice(0, 1)}},
      {type: 'settings.changed', settings: {interview: {maxLoops: 3}}},
    ],
  },
  {
    name: 'of somebody unknown, whose form may change at every moment',
    input: {questionnaire: form},
    answers: said,
    messages: [{type: 'form.changed', questionnaire: {...form, fields: form.fields.slice(0, 1)}}],
  },
  {
    name: 'whose person or readings may be lost',
    answers: {
      ...said,
      askPerson: [{text: 'Ann'}, crash],
      readReply: (_, open) => (open.port === 'readReply' ? [...steady(open.request), crash] : []),
    },
  },
  {
    name: 'of somebody who pauses at once, and may be lost then',
    answers: {
      ...said,
      askPerson: (_, open) =>
        open.port === 'askPerson' && open.request.state === 'paused'
          ? [{text: 'On.'}, crash]
          : [{text: 'Ann'}],
      readReply: replies({name: kinds('pause')}),
    },
  },
  {
    name: 'whose form is read',
    input: {respondent: known},
    answers: {
      ...said,
      readQuestionnaire: [
        {kind: 'read', questionnaire: form},
        {kind: 'absent', problem: 'no such file'},
        {kind: 'invalid', problem: 'it has no fields'},
        crash,
      ],
    },
  },
  {
    name: 'with somebody unknown, who may be lost',
    input: {questionnaire: datedForm},
    answers: {
      ...said,
      askPerson: (before) =>
        before < 2 ? [{text: 'Ann'}, {text: 'Ann, who lives in Japan'}, crash] : [{text: 'Ann'}],
      readReply: replies({
        language: [
          ...kinds('answer', 'skip', 'pause', 'why'),
          read({kind: 'language', language: 'ja'}),
        ],
        country: kinds('answer', 'decline', 'quit'),
        timezone: kinds('answer', 'unclear'),
      }),
      readSetting: (before) =>
        before < 4
          ? [{value: 'en'}, {problem: 'unknown', choices: ['JP']}, ...(before === 0 ? [crash] : [])]
          : [{value: 'en'}],
    },
  },
  {
    name: 'that a model leads, which may be down, silent or wrong',
    isWhole: true,
    isLed: true,
    answers: {
      ...byModels,
      awaitResume: [{resumed: true}, crash],
      interview: leads(
        saying('Hm.'),
        calling('subtask', {agent: 'reviewer'}),
        calling('fly', {}),
        calling('route', {kind: 'decline', quote: 'Ann'}),
        failing('auth'),
        failing('refused'),
      ),
    },
  },
  {
    name: 'whose architect and reviewer may be down or wrong',
    isLed: true,
    answers: {
      ...byModels,
      'design-interview': once(
        planned('size', 'name'),
        planned('shoe'),
        failing('auth'),
        failing('refused'),
      ),
      'review-answer': once(
        pass,
        calling('review', {passed: false, missing_facts: ['family']}),
        calling('review', {
          passed: true,
          extracted_facts: [{key: 'family', value: 'Li', quote: 'I am a Li'}],
        }),
        failing('auth'),
        failing('refused'),
      ),
      checkAnswer: (before, open) => {
        if (open.port !== 'checkAnswer') return [];
        const sound = value(open);
        return before < 2 ? [sound, {...sound, problems: ['No.']}, crash] : [sound];
      },
      awaitResume: [{resumed: true}, crash],
    },
  },
  {
    name: 'whose architect or reviewer may call no tool',
    isLed: true,
    answers: {
      ...byModels,
      'design-interview': [planned('size', 'name'), saying('Hm.')],
      'review-answer': [pass, saying('Hm.')],
    },
  },
  {
    name: 'with somebody unknown to a greeter that is a model',
    isLed: true,
    input: {questionnaire: datedForm},
    answers: {
      ...byModels,
      askPerson: (before) => (before < 2 ? [{text: 'Ann'}, crash] : [{text: 'Ann'}]),
      readReply: replies({language: kinds('answer', 'pause', 'help')}),
      greet: (before, open) => {
        if (open.port !== 'callModel') return [];
        const isAnswered = open.request.transcript.messages.at(-1)?.role === 'tool';
        const set = callingAll(
          ['set_language', {language: 'en'}],
          ['set_country', {country: 'JP'}],
          ['set_timezone', {timezone: 'Asia/Tokyo'}],
        );
        return before < 2
          ? [
              isAnswered ? set : calling('ask', {message: 'Hello?'}),
              saying('Hello.'),
              failing('auth'),
            ]
          : [set, ...(before < 3 ? [failing('refused')] : [])];
      },
      readSetting: (before) =>
        before === 0 ? [{value: 'en'}, {problem: 'unknown'}, crash] : [{value: 'en'}],
    },
  },
  {
    name: 'with somebody unknown to a greeter that only talks',
    isLed: true,
    input: {questionnaire: form},
    answers: {...byModels, greet: [calling('ask', {message: 'Well?'})]},
  },
];

export const interviews: readonly LawfulScenario[] = worlds.map(
  ({name, answers, isLed, isWhole, input, messages}) => ({
    name,
    scenario: {
      machine: interviewMachine,
      input: inputOf(isLed ? 'test/leader' : 'offline/offline', input),
      outcomes: answering(answers),
      messages: messages ?? [],
      mayFire: () => false,
      // A form that has changed does not change back.
      mayCome: ({type}, _, log) => type !== 'form.changed' || !hasCome(type, log),
      ...(isWhole ? {isWhole} : {}),
    },
    law: interviewLaws(isLed ? 'model' : 'rules'),
  }),
);
