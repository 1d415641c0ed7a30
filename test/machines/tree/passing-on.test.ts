/** Messages from outside: the tree and its interactions pass them on to the interaction that they are for. */

import {expect, test} from 'vitest';

import {treeMachine} from '../../../machines/index.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {allow, calling, ran, saying} from '../events/outcomes.ts';
import {smallSettings} from '../events/settings.ts';
import {form, message} from '../forms/interview/talk.ts';

const model = 'offline/offline';
const settings = {
  ...smallSettings('interactive', []),
  interview: {model, reviewer: model, maxLoops: 3, maxFollowUps: 1},
};

function treeOf(kind: 'ask' | 'interview'): ByHand {
  const input = {
    id: 'root',
    form: kind,
    contextMode: 'full',
    depth: 0,
    request: 'Your trip',
    workspace: '/w',
    settings,
  };
  return byHand(treeMachine, input, {isTree: true});
}

function spawn(tree: ByHand, parent: string): void {
  tree.send({type: 'interaction.spawn', parent, form: 'ask', request: 'what?', by: 'person'});
}

/** Answers the question of the root, so that it waits for its children. */
function answerRoot(tree: ByHand): void {
  tree.settle('subject/interaction/form/input', allow);
  tree.settle('subject/interaction/form/turns/model', saying('so it is'));
  tree.settle('subject/interaction/form/output', allow);
}

test('a changed form reaches the interview', () => {
  const tree = treeOf('interview');
  tree.settle('/form', {questionnaire: form});
  expect(message(tree)).toContain('Your trip');
  tree.send({type: 'form.changed', questionnaire: {...form, title: 'Our trip'}});
  expect(message(tree)).toContain('The form has changed');
});

test.each(['while the root is at work', 'while the root waits for it'])(
  'a change of settings reaches a child %s',
  (when) => {
    const tree = treeOf('ask');
    spawn(tree, 'root');
    if (when.includes('waits')) answerRoot(tree);
    tree.send({type: 'settings.changed', settings: {ask: {maxSteps: 1}}});
    tree.settle('root.1/form/input', allow);
    tree.settle('root.1/form/turns/model', calling('read_file', {path: 'x'}));
    tree.settle('root.1/form/turns/call', ran);
    expect(tree.open().filter((path) => path.includes('root.1/form/turns'))).toEqual([]);
  },
);

test.each(['while the root is at work', 'while the root waits for it'])(
  'a message reaches the child that it names %s, and a warning says when there is none',
  (when) => {
    const tree = treeOf('ask');
    spawn(tree, 'root');
    if (when.includes('waits')) answerRoot(tree);
    tree.send({type: 'user.said', interaction: 'root.1', text: 'be brief'});
    expect(tree.reports('user.said')).toHaveLength(1);
    expect(tree.reports('warning')).toEqual([]);
    tree.send({type: 'user.said', interaction: 'nobody', text: 'be brief'});
    expect(tree.reports('user.said')).toHaveLength(1);
    expect(tree.reports('warning')).toHaveLength(1);
  },
);
