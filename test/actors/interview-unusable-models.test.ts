/** Interviews over the wire whose models do not use their tools. */

import {expect, test} from 'vitest';

import type {FormField, Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {call} from '../support/agent-models.ts';
import {lead, saying, setStage} from '../support/interviewing.ts';
import type {Said} from '../support/mock-openai.ts';

const field: Omit<FormField, 'id' | 'label' | 'order'> = {
  type: 'text',
  required: true,
  sensitivity: 'none',
};

const twoFields: Questionnaire = {
  id: 'application',
  title: 'Application',
  fields: [
    {...field, id: 'name', label: 'Full name', order: 0},
    {...field, id: 'work', label: 'Professional experience', order: 1},
  ],
  facts: [],
};

const prose = (): Said => ({text: 'Let me help you with that.'});

test.each<[string, number, Said]>([
  ['only talks', 2, {text: 'Let me think.'}],
  ['calls a tool that does not exist', 3, call('write_file', {path: 'x', content: 'y'})],
  ['has the reviewer judge nothing', 3, call('subtask', {agent: 'reviewer'})],
])(
  'a model that leads and %s is replaced by rules after %i calls, for the rest of the form, with one warning',
  async (_, calls, said) => {
    const stage = await setStage({form: twoFields, cast: {interviewer: () => said}});
    const {result, talk, events} = await lead(
      stage.start(),
      saying({name: ['Ann Lee'], work: ['Compilers'], confirming: ['submit']}),
    );
    expect(talk.slice(0, 2).map(([asked]) => asked)).toEqual([
      expect.stringContaining('Full name'),
      expect.stringContaining('Professional experience'),
    ]);
    expect(stage.receivedBy('interviewer')).toHaveLength(calls);
    expect(events.filter(({type}) => type === 'warning')).toMatchObject([
      {
        message:
          'rules replace the interviewer for the rest of the form: mock/leader does not use its tools',
      },
    ]);
    expect(stage.receivedBy('reviewer')).toHaveLength(2);
    expect(result).toMatchObject({
      status: 'completed',
      answers: {answers: {name: {value: 'Ann Lee'}, work: {value: 'Compilers'}}},
    });
  },
);

test('when the model calls no tool in any role, the interview makes two calls and the form is filled by rule', async () => {
  const cast = {greeter: prose, architect: prose, interviewer: prose, reviewer: prose};
  const interview = {model: 'mock/weak', reviewer: 'mock/weak'};
  const stage = await setStage({form: twoFields, cast, interview});
  const {result, events} = await lead(
    stage.start({}),
    saying({
      language: ['English'],
      country: ['Japan'],
      name: ['Ann Lee'],
      work: ['Compilers'],
      confirming: ['submit'],
    }),
  );
  expect(result).toMatchObject({status: 'completed', answers: {status: 'submitted'}});
  expect(stage.server.received).toHaveLength(2);
  expect(events.filter(({type}) => type === 'warning')).toHaveLength(1);
});

test('a reviewer that calls no tool is replaced by rules, and no answer is requested again', async () => {
  const stage = await setStage({
    form: twoFields,
    cast: {reviewer: () => ({text: 'That sounds good.'})},
  });
  const {result, talk, events} = await lead(
    stage.start(),
    saying({name: ['Ann Lee'], work: ['Compilers'], confirming: ['submit']}),
  );
  expect(talk).toHaveLength(3);
  expect(stage.receivedBy('reviewer')).toHaveLength(2);
  expect(events.filter(({type}) => type === 'warning')).toMatchObject([
    {message: expect.stringMatching(/^rules replace the reviewer .*mock\/judge/)},
  ]);
  expect(result).toMatchObject({status: 'completed'});
});
