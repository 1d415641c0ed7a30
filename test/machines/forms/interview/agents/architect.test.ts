/** The architect: it lists every field once, in the order of a model or in the order of the form. */

import {expect, test} from 'vitest';

import {architectMachine} from '../../../../../machines/forms/interview/agents/architect.ts';
import {byHand} from '../../../../support/by-hand.ts';
import {calling, failing} from '../../../events/outcomes.ts';
import {byModel, byRule, dialogue} from '../talk.ts';

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

test('a model that cannot be called is waited for', () => {
  const architect = byHand(architectMachine, {dialogue, settings: byModel});
  architect.settle('call/model', failing('billing'));
  architect.settle('resume', {resumed: true});
  architect.settle('call/model', plan('size', 'card', 'name'));
  expect(architect.output()).toMatchObject({dialogue: {order: ['size', 'card', 'name']}});
});
