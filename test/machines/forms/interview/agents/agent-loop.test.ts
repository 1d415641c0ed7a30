/** The loop of an interview agent: it runs until it asks, reads the results of its calls, and always ends. */

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

function lastText(loop: ByHand): string {
  return loop.requests('callModel').at(-1)?.transcript.messages.at(-1)?.text ?? '';
}

test('the loop ends when it asks; later calls are not made', () => {
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

test('settings are read by rule, and the model receives the results, including errors', () => {
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

test('a reply without a call is answered with the tasks that are left', () => {
  const loop = byHand(agentLoopMachine, greeter);
  loop.settle('model', saying('Hello!'));
  expect(lastText(loop)).toBe(
    [
      'You still need to:',
      '- Set the user language using set_language',
      '- Set the country of residence using set_country',
      '- Set the timezone using set_timezone',
    ].join('\n'),
  );
});

test('the loop ends when no task is left', () => {
  const loop = byHand(agentLoopMachine, {...greeter, dialogue});
  loop.settle('model', saying('All is known.'));
  expect(loop.output()).toMatchObject({kind: 'finished'});
});

test.each([
  ['an unknown tool', calling('submit_all', {}), 'there is no tool submit_all'],
  ['a blank question', calling('ask', {message: ' '}), 'message'],
  ['a review of nothing', calling('subtask', {agent: 'reviewer'}), 'no answer to review yet'],
  [
    'a decline that the person did not state',
    calling('route', {kind: 'decline', quote: 'I decline'}),
    'did not say "I decline"',
  ],
])('%s is refused, and the model receives the reason', (_, reply, why) => {
  const loop = byHand(agentLoopMachine, interviewer);
  loop.settle('model', reply);
  expect(lastText(loop)).toContain(why);
});

test('a reply from before the field was asked does not count for it', () => {
  const said = withReply(dialogue, {agent: 'interviewer', field: 'name', text: 'no', at: 5});
  const loop = byHand(agentLoopMachine, {...interviewer, dialogue: said, canReview: false});
  loop.settle('model', calling('route', {kind: 'decline', quote: 'no'}));
  expect(lastText(loop)).toContain('nothing on the current field');
});

test('a correction of the current field is refused, because the field is being asked', () => {
  const said = withReply(dialogue, {agent: 'interviewer', field: 'name', text: 'Ann', at: 5});
  const loop = byHand(agentLoopMachine, {...interviewer, dialogue: said, canReview: true});
  loop.settle('model', calling('route', {kind: 'correct', quote: 'Ann', field_id: 'name'}));
  expect(lastText(loop)).toContain('name is the current field');
});

test('an answer is handed to the reviewer, once there is one', () => {
  const loop = byHand(agentLoopMachine, {...interviewer, canReview: true});
  loop.settle('model', calling('subtask', {agent: 'reviewer'}));
  expect(loop.output()).toMatchObject({kind: 'handed'});
});

test('two replies in a row without a call leave the loop stuck and its model unusable', () => {
  const loop = byHand(agentLoopMachine, greeter);
  for (const _ of [1, 2]) loop.settle('model', saying('Hm.'));
  expect(loop.output()).toMatchObject({
    kind: 'stuck',
    dialogue: {unusableModels: ['mock/talker']},
  });
});

test('three replies in a row that change nothing leave the loop stuck', () => {
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

test('the loop is stuck after its maximum of replies, even if each changed something', () => {
  const loop = byHand(agentLoopMachine, greeter);
  for (const value of ['en', 'ja', 'de']) {
    loop.settle('model', calling('set_language', {language: value}));
    loop.settle('reading', {value});
  }
  expect(loop.output()).toMatchObject({kind: 'stuck'});
});

test('a refusal by the model leaves the loop stuck; a model that cannot be called is waited for', () => {
  const refused = byHand(agentLoopMachine, greeter);
  refused.settle('model', failing('refused'));
  expect(refused.output()).toMatchObject({kind: 'stuck', dialogue: {unusableModels: []}});
  const unserved = byHand(agentLoopMachine, greeter);
  unserved.settle('model', failing('auth'));
  unserved.settle('resume', {resumed: true});
  unserved.settle('model', calling('ask', {message: 'Hello!'}));
  expect(unserved.output()).toMatchObject({kind: 'asked'});
});
