/** The agents of an interview, and the exchanges that they have with a person. */

import {expect, test} from 'vitest';

import {agentLoopMachine} from '../../../../machines/forms/interview/agents/agent-loop.ts';
import {architectMachine} from '../../../../machines/forms/interview/agents/architect.ts';
import {greeterMachine} from '../../../../machines/forms/interview/agents/greeter.ts';
import {openDialogue, withReply} from '../../../../machines/forms/interview/dialogue.ts';
import {exchangeMachine} from '../../../../machines/forms/interview/exchange.ts';
import {openTranscript} from '../../../../machines/prompts/transcript.ts';
import {type ByHand, byHand} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';
import {calling, callingAll, failing, saying} from '../../events/outcomes.ts';
import {dialogue, form, byModel, byRule, message, say} from './talk.ts';

const greeterTurn = {
  agent: 'greeter',
  dialogue: openDialogue(form, {}),
  transcript: openTranscript('Greet.'),
  canReview: false,
  model: 'mock/talker',
  system: 'You greet.',
  maxLoops: 3,
  maxOutputTokens: 100,
};

const interviewerTurn = {...greeterTurn, agent: 'interviewer', dialogue, field: 'name'};

function lastText(loop: ByHand): string {
  return loop.requests('callModel').at(-1)?.transcript.messages.at(-1)?.text ?? '';
}

test('the loop ends when it asks; later calls are not made', () => {
  const loop = byHand(agentLoopMachine, greeterTurn);
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
  const loop = byHand(agentLoopMachine, greeterTurn);
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
  const loop = byHand(agentLoopMachine, greeterTurn);
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
  const loop = byHand(agentLoopMachine, {...greeterTurn, dialogue});
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
  const loop = byHand(agentLoopMachine, interviewerTurn);
  loop.settle('model', reply);
  expect(lastText(loop)).toContain(why);
});

test('a reply from before the field was asked does not count for it', () => {
  const said = withReply(dialogue, {agent: 'interviewer', field: 'name', text: 'no', at: 5});
  const loop = byHand(agentLoopMachine, {...interviewerTurn, dialogue: said, canReview: false});
  loop.settle('model', calling('route', {kind: 'decline', quote: 'no'}));
  expect(lastText(loop)).toContain('nothing on the current field');
});

test('a correction of the current field is refused, because the field is being asked', () => {
  const said = withReply(dialogue, {agent: 'interviewer', field: 'name', text: 'Ann', at: 5});
  const loop = byHand(agentLoopMachine, {...interviewerTurn, dialogue: said, canReview: true});
  loop.settle('model', calling('route', {kind: 'correct', quote: 'Ann', field_id: 'name'}));
  expect(lastText(loop)).toContain('name is the current field');
});

test('an answer is handed to the reviewer, once there is one', () => {
  const loop = byHand(agentLoopMachine, {...interviewerTurn, canReview: true});
  loop.settle('model', calling('subtask', {agent: 'reviewer'}));
  expect(loop.output()).toMatchObject({kind: 'handed'});
});

test('two replies in a row without a call leave the loop stuck and its model unusable', () => {
  const loop = byHand(agentLoopMachine, greeterTurn);
  for (const _ of [1, 2]) loop.settle('model', saying('Hm.'));
  expect(loop.output()).toMatchObject({kind: 'stuck', dialogue: {unusableModels: ['mock/talker']}});
});

test('three replies in a row that change nothing leave the loop stuck', () => {
  const loop = byHand(agentLoopMachine, {...greeterTurn, maxLoops: 10});
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
  const loop = byHand(agentLoopMachine, greeterTurn);
  for (const value of ['en', 'ja', 'de']) {
    loop.settle('model', calling('set_language', {language: value}));
    loop.settle('reading', {value});
  }
  expect(loop.output()).toMatchObject({kind: 'stuck'});
});

test('a refusal by the model leaves the loop stuck; a model that cannot be called is waited for', () => {
  const refused = byHand(agentLoopMachine, greeterTurn);
  refused.settle('model', failing('refused'));
  expect(refused.output()).toMatchObject({kind: 'stuck', dialogue: {unusableModels: []}});
  const unserved = byHand(agentLoopMachine, greeterTurn);
  unserved.settle('model', failing('auth'));
  unserved.settle('resume', {resumed: true});
  unserved.settle('model', calling('ask', {message: 'Hello!'}));
  expect(unserved.output()).toMatchObject({kind: 'asked'});
});

function start(settings: object, respondent: object = {}): ByHand {
  return byHand(greeterMachine, {dialogue: openDialogue(form, respondent), settings});
}

test('by rule, each section is asked, except a time zone that follows from the country', () => {
  const greeter = byHand(greeterMachine, {dialogue: openDialogue(form, {}), settings: byRule});
  expect(message(greeter)).toContain('Which language');
  say(greeter, 'English');
  greeter.settle('reading', {value: 'en'});
  say(greeter, 'Japan');
  greeter.settle('reading', {value: 'JP'});
  expect(greeter.requests('readSetting').at(-1)).toMatchObject({section: 'timezone', text: ''});
  greeter.settle('inference', {value: 'Asia/Tokyo'});
  expect(greeter.output()).toMatchObject({
    move: {to: 'next'},
    dialogue: {respondent: {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'}, assumed: []},
  });
});

test('known sections are not asked', () => {
  const known = {language: 'ja', country: 'JP', timezone: 'Asia/Tokyo'};
  expect(start(byRule, known).output()).toMatchObject({dialogue: {respondent: known}});
});

test('a section that is not understood twice is assumed, and marked as assumed', () => {
  const greeter = start(byRule, {language: 'en', country: 'US'});
  greeter.settle('inference', {choices: ['America/New_York', 'America/Chicago']});
  expect(message(greeter)).toContain('2. Chicago');
  for (const text of ['here', 'there']) {
    say(greeter, text);
    greeter.settle('reading', {problem: 'no such time zone'});
  }
  expect(greeter.output()).toMatchObject({
    dialogue: {respondent: {timezone: 'Asia/Tokyo'}, assumed: ['timezone']},
  });
});

test('a model greets, receives the reply as the result of its question, and sets the sections', () => {
  const greeter = start(byModel);
  greeter.settle('agent/model', calling('ask', {message: 'Hello! ようこそ!'}));
  expect(message(greeter)).toBe('Hello! ようこそ!');
  say(greeter, '日本語で。日本です。');
  expect(greeter.requests('callModel').at(-1)?.transcript.messages.at(-1)).toMatchObject({
    role: 'tool',
    name: 'ask',
    text: '日本語で。日本です。',
  });
  greeter.settle(
    'agent/model',
    callingAll(
      ['set_language', {language: 'ja'}],
      ['set_country', {country: 'JP'}],
      ['set_timezone', {}],
    ),
  );
  for (const value of ['ja', 'JP', 'Asia/Tokyo']) greeter.settle('reading', {value});
  expect(greeter.output()).toMatchObject({
    dialogue: {respondent: {language: 'ja', country: 'JP', timezone: 'Asia/Tokyo'}},
  });
});

test('rules take over from a model that is stuck, so that the person gets a question', () => {
  const greeter = start(byModel);
  for (const _ of [1, 2]) greeter.settle('agent/model', saying('Hm.'));
  expect(message(greeter)).toContain('Which language');
});

test('rules take over from a model that only asks', () => {
  const greeter = start(byModel);
  for (const text of ['Hm?', 'So?', 'And?', 'Well?']) {
    greeter.settle('agent/model', calling('ask', {message: text}));
    say(greeter, 'Hello');
  }
  expect(message(greeter)).toContain('Which language');
});

test('settings that a device suggests are not asked, and stay marked as assumed', () => {
  const likely = {language: 'de', country: 'DE', timezone: 'Europe/Berlin'};
  const assumed = ['language', 'country', 'timezone'];
  const output = start(byRule, {...likely, assumed}).output();
  expect(output).toMatchObject({dialogue: {respondent: likely, assumed}});
});

test('the country that a person states says the time zone, in place of the one that a device suggests', () => {
  const known = {language: 'en', country: 'JP', timezone: 'Europe/Berlin', assumed: ['timezone']};
  const inferred = start(byRule, known);
  inferred.settle('inference', {value: 'Asia/Tokyo'});
  expect(inferred.output()).toMatchObject({
    dialogue: {respondent: {timezone: 'Asia/Tokyo'}, assumed: []},
  });
  const unclear = start(byRule, {...known, country: 'US'});
  unclear.settle('inference', {choices: ['America/New_York', 'America/Chicago']});
  expect(unclear.output()).toMatchObject({
    dialogue: {respondent: {timezone: 'Europe/Berlin'}, assumed: ['timezone']},
  });
});

test('a question about a setting, and a call for help, are answered before it is asked again', () => {
  const greeter = start(byRule, {language: 'en'});
  for (const [kind, said] of [
    ['why', 'To read phone numbers'],
    ['help', 'You can say “skip”'],
    ['back', 'This is the first question.'],
  ] as const) {
    say(greeter, kind, {kind});
    expect(message(greeter)).toContain(said);
    expect(message(greeter)).toContain('Which country');
  }
  const led = start(byModel);
  led.settle('agent/model', calling('ask', {message: 'Your language?'}));
  say(led, 'help', {kind: 'help'});
  led.settle('agent/model', calling('ask', {message: 'Your language, please?'}));
  expect(message(led)).toMatch(/^You can say “skip”[^]*\n\nYour language, please\?$/);
});

test('a reply to the greeter may give several settings, and values of fields', () => {
  const greeter = start(byRule);
  greeter.settle('/person', {text: 'hi, I am Ann Lee and I live in Germany'});
  const found = [{field: 'name', value: 'Ann Lee', quote: 'Ann Lee'}];
  greeter.settle('/reading', {route: {kind: 'answer'}, found});
  greeter.settle('reading', {value: 'en'});
  expect(greeter.requests('readSetting').at(-1)).toMatchObject({section: 'country'});
  greeter.settle('reading', {value: 'DE'});
  greeter.settle('inference', {value: 'Europe/Berlin'});
  expect(greeter.output()).toMatchObject({
    dialogue: {
      respondent: {language: 'en', country: 'DE', timezone: 'Europe/Berlin'},
      fields: {name: {provisional: {value: 'Ann Lee', quote: 'Ann Lee'}}},
    },
  });
});

test('a reply that gives a value of a field in place of a setting is not refused', () => {
  const greeter = start(byRule, {language: 'en'});
  greeter.settle('/person', {text: 'Ann Lee'});
  const found = [{field: 'name', value: 'Ann Lee', quote: 'Ann Lee'}];
  greeter.settle('/reading', {route: {kind: 'answer'}, found});
  greeter.settle('reading', {problem: 'no such country'});
  expect(message(greeter)).toMatch(/^Thank you, I’ll come back to that\.\n\nWhich country/);
});

test('a pause leaves the greeter', () => {
  const greeter = start(byRule);
  say(greeter, 'pause', {kind: 'pause'});
  expect(greeter.output()).toMatchObject({move: {to: 'pause'}});
});

test('a form in Japanese is greeted in Japanese before the language is known', () => {
  const title = '陶芸体験の申し込み';
  const opened = openDialogue({...form, title}, {});
  const greeter = byHand(greeterMachine, {dialogue: opened, settings: byRule});
  expect(message(greeter)).toContain('「陶芸体験の申し込み」');
});

function plan(...ids: readonly string[]) {
  const fields = ids.map((id) => ({field_id: id, label: id, intent: '', required: true}));
  return calling('create_plan', {fields});
}

test('by rule, the order is that of the form', () => {
  const architect = byHand(architectMachine, {dialogue, settings: byRule});
  expect(architect.output()).toMatchObject({dialogue: {order: ['name', 'size', 'card']}});
});

test('a model sets the order; optional fields that it omits come last', () => {
  const architect = byHand(architectMachine, {dialogue, settings: byModel});
  architect.settle('plan/call/model', plan('card', 'name'));
  expect(architect.output()).toMatchObject({dialogue: {order: ['card', 'name', 'size']}});
});

test.each([
  ['a required field is left out', plan('size', 'name'), 'card is required'],
  ['a field is made up', plan('name', 'card', 'colour'), 'there is no field colour'],
  ['a field is named twice', plan('name', 'card', 'name'), 'name is named twice'],
])(
  'when %s, the model receives the problem, and after a repeat the order of the form is used',
  (_, reply, why) => {
    const architect = byHand(architectMachine, {dialogue, settings: byModel});
    architect.settle('call/model', reply);
    expect(architect.requests('callModel').at(-1)?.transcript.messages.at(-1)?.text).toContain(why);
    architect.settle('repair/model', reply);
    expect(architect.output()).toMatchObject({dialogue: {order: ['name', 'size', 'card']}});
    expect(architect.reports('warning')).toHaveLength(1);
  },
);

const input = {
  asked: {agent: 'interviewer', state: 'interviewing', field: 'name', message: 'Who are you?'},
  ground: {about: {field: 'name'}, fields: [], done: [], language: 'en'},
};

test('a reply is read by rule, with its field and language', () => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', {text: 'Ann'});
  expect(exchange.requests('readReply')).toMatchObject([
    {text: 'Ann', about: {field: 'name'}, language: 'en'},
  ]);
  exchange.settle('reading', {route: {kind: 'answer'}, found: []});
  expect(exchange.output()).toMatchObject({kind: 'replied', text: 'Ann', route: {kind: 'answer'}});
});

test.each([
  [
    {text: 'Bob', field: 'name'},
    {kind: 'correct', field: 'name', text: 'Bob'},
  ],
  [{text: 'submit', confirms: true}, {kind: 'confirm'}],
])('the reply %j states its route itself', (reply, route) => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', reply);
  expect(exchange.requests('readReply')).toEqual([]);
  expect(exchange.output()).toMatchObject({kind: 'replied', route});
});

test('a reply to a sensitive field is reported masked', () => {
  const exchange = byHand(exchangeMachine, {...input, isMasked: true});
  exchange.settle('person', {text: '4111'});
  exchange.settle('reading', {route: {kind: 'answer'}, found: []});
  expect(exchange.reports('interview.replied')).toMatchObject([{text: '•••', field: 'name'}]);
});

test('a crash of the reader is reported', () => {
  const exchange = byHand(exchangeMachine, input);
  exchange.settle('person', {text: 'Ann'});
  exchange.settle('reading', crash);
  expect(exchange.output()).toMatchObject({kind: 'lost', failure: {code: 'internal'}});
});
