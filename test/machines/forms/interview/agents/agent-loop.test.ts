/** What the loop of an agent promises: it runs until it asks, is told what its calls came to, and never runs for ever. */

import {expect, test} from 'vitest';

import {agentLoopMachine} from '../../../../../machines/forms/interview/agents/agent-loop.ts';
import {openDialogue, withReply} from '../../../../../machines/forms/interview/dialogue.ts';
import {openTranscript} from '../../../../../machines/prompts/transcript.ts';
import {type ByHand, byHand} from '../../../../support/by-hand.ts';
import {calling, callingAll, failing, saying} from '../../../events/outcomes.ts';
import {dialogue, form} from '../talk.ts';

const greeter = {
  agent: 'greeter',
  dialogue: openDialogue(form, {}),
  transcript: openTranscript('Greet.'),
  canReview: false,
  model: 'mock/talker',
  system: 'You greet.',
  maxLoops: 3,
  maxOutputTokens: 100,
};

const interviewer = {...greeter, agent: 'interviewer', dialogue, field: 'name'};

function told(loop: ByHand): string {
  return loop.requests('callModel').at(-1)?.transcript.messages.at(-1)?.text ?? '';
}

test('it ends when it asks; calls after that are left', () => {
  const loop = byHand(agentLoopMachine, greeter);
  loop.settle(
    'model',
    callingAll(['ask', {message: 'Hello!'}], ['set_language', {language: 'en'}]),
  );
  expect(loop.output()).toMatchObject({
    kind: 'asked',
    message: 'Hello!',
    calls: [{name: 'ask'}, {}],
  });
});

test('settings are read by rule, and what they came to is told, errors as well', () => {
  const loop = byHand(agentLoopMachine, greeter);
  loop.settle(
    'model',
    callingAll(['set_language', {language: 'en'}], ['set_country', {country: 'Oz'}]),
  );
  loop.settle('reading', {value: 'en'});
  loop.settle('reading', {problem: 'there is no country Oz'});
  const {transcript} = loop.requests('callModel').at(-1) ?? {};
  expect(transcript?.messages.slice(-2)).toMatchObject([
    {role: 'tool', name: 'set_language', text: 'The language is en.', isError: false},
    {role: 'tool', name: 'set_country', text: 'there is no country Oz', isError: true},
  ]);
});

test('words without a call are followed by what is left to do', () => {
  const loop = byHand(agentLoopMachine, greeter);
  loop.settle('model', saying('Hello!'));
  expect(told(loop)).toBe(
    [
      'You still need to:',
      '- Set the user language using set_language',
      '- Set the country of residence using set_country',
      '- Set the timezone using set_timezone',
    ].join('\n'),
  );
});

test('it ends when nothing is left to do', () => {
  const loop = byHand(agentLoopMachine, {...greeter, dialogue});
  loop.settle('model', saying('All is known.'));
  expect(loop.output()).toMatchObject({kind: 'finished'});
});

test.each([
  ['an unknown tool', calling('submit_all', {}), 'there is no tool submit_all'],
  ['a question without words', calling('ask', {message: ' '}), 'message'],
  ['a review of nothing', calling('subtask', {agent: 'reviewer'}), 'no answer to review yet'],
  [
    'a skip in the place of the person',
    calling('route', {kind: 'decline', quote: 'I decline'}),
    'did not say "I decline"',
  ],
])('%s is refused, and it is told why', (_, reply, why) => {
  const loop = byHand(agentLoopMachine, interviewer);
  loop.settle('model', reply);
  expect(told(loop)).toContain(why);
});

test('what was said before the field was asked about is no word on it', () => {
  const said = withReply(dialogue, {agent: 'interviewer', field: 'name', text: 'no', at: 5});
  const loop = byHand(agentLoopMachine, {...interviewer, dialogue: said, canReview: false});
  loop.settle('model', calling('route', {kind: 'decline', quote: 'no'}));
  expect(told(loop)).toContain('nothing on the current field');
});

test('a correction of the current field is its answer, and no way back to it', () => {
  const said = withReply(dialogue, {agent: 'interviewer', field: 'name', text: 'Ann', at: 5});
  const loop = byHand(agentLoopMachine, {...interviewer, dialogue: said, canReview: true});
  loop.settle('model', calling('route', {kind: 'correct', quote: 'Ann', field_id: 'name'}));
  expect(told(loop)).toContain('name is the current field');
});

test('an answer is handed to the reviewer, once there is one', () => {
  const loop = byHand(agentLoopMachine, {...interviewer, canReview: true});
  loop.settle('model', calling('subtask', {agent: 'reviewer'}));
  expect(loop.output()).toMatchObject({kind: 'handed'});
});

test('after two replies in a row without a call it is stuck, and its model is unusable', () => {
  const loop = byHand(agentLoopMachine, greeter);
  for (const _ of [1, 2]) loop.settle('model', saying('Hm.'));
  expect(loop.output()).toMatchObject({
    kind: 'stuck',
    dialogue: {unusableModels: ['mock/talker']},
  });
});

test('after three replies in a row that change nothing it is stuck', () => {
  const loop = byHand(agentLoopMachine, {...greeter, maxLoops: 10});
  const again = calling('set_language', {language: 'en'});
  loop.settle('model', again);
  loop.settle('reading', {value: 'en'});
  for (const reply of [again, again]) {
    loop.settle('model', reply);
    loop.settle('reading', {value: 'en'});
  }
  loop.settle('model', saying('Hm.'));
  expect(loop.output()).toMatchObject({kind: 'stuck'});
});

test('after as many replies as it has it is stuck, whatever they change', () => {
  const loop = byHand(agentLoopMachine, greeter);
  for (const value of ['en', 'ja', 'de']) {
    loop.settle('model', calling('set_language', {language: value}));
    loop.settle('reading', {value});
  }
  expect(loop.output()).toMatchObject({kind: 'stuck'});
});

test('a reply of no use leaves it stuck; a model that can’t be called is waited for', () => {
  const refused = byHand(agentLoopMachine, greeter);
  refused.settle('model', failing('refused'));
  expect(refused.output()).toMatchObject({kind: 'stuck', dialogue: {unusableModels: []}});
  const unserved = byHand(agentLoopMachine, greeter);
  unserved.settle('model', failing('auth'));
  unserved.settle('resume', {resumed: true});
  unserved.settle('model', calling('ask', {message: 'Hello!'}));
  expect(unserved.output()).toMatchObject({kind: 'asked'});
});
