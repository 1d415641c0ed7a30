/** Properties of every tree, after any steps in any order. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {AnyActorLogic, AnyActorRef, AnyMachineSnapshot, AnyStateMachine} from 'xstate';

import type {InteractionEnd} from '../../../machines/domain/result.ts';
import type {RecordedDialogue} from '../../../machines/facts/fact.ts';
import {recordId} from '../../../machines/facts/record.ts';
import {formLogic} from '../../../machines/forms/forms.ts';
import {interactionMachine, treeMachine} from '../../../machines/index.ts';
import type {InteractionContext} from '../../../machines/tree/children.ts';
import {
  type InteractionNode,
  interactionsIn,
  childrenOf,
  maxDepth,
} from '../../../machines/tree/interaction-tree.ts';
import {interactionActor, parentOf, interactionIn} from '../../../machines/tree/path.ts';
import {isDeep} from '../../support/depth.ts';
import {crash as performerCrash} from '../../support/hand-performer.ts';
import {type Move, play, type Played} from '../../support/played.ts';
import {failOnWarnings} from '../../support/warnings.ts';
import {plansOf, writeThenRead} from '../events/agent-plans.ts';
import {success} from '../events/agent.ts';
import {
  type Answers,
  answering,
  allow,
  broke,
  conclusion,
  failing,
  previewing,
  ran,
  ranking,
  ruling,
  saying,
} from '../events/outcomes.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

/** True while the interaction is at work, according to its actor. */
interface Living {
  readonly id: string;
  readonly form: string;
  readonly parent: string | undefined;
  readonly depth: number;
  /** Its form has ended: it waits for its children. */
  readonly isWaiting: boolean;
}

interface RandomTree {
  readonly played: Played;
  /** The root first. */
  readonly living: () => readonly Living[];
  /** The interactions according to the record. */
  readonly recorded: () => readonly InteractionNode[];
  readonly dialogue: () => readonly RecordedDialogue[];
  /** Ids of all interactions that were ever spawned, as reported. */
  readonly spawned: () => readonly string[];
  /** The requests and timers that its own form waits for; none when it does not wait. */
  readonly openIn: (id: string) => readonly string[];
  /** The requests and timers of the interactions below it. */
  readonly openUnder: (id: string) => readonly string[];
  /** The chart of the interaction throws. */
  readonly crash: (id: string) => void;
  /** The chart of its form throws. */
  readonly crashForm: (id: string) => void;
}

const rootId = 'root';

const plans = plansOf(writeThenRead);

/** The outcomes without failures. They come first, even when failures are possible. */
const well: Answers = {
  surveyWorkspace: [{text: 'a survey', read: []}],
  explore: [saying('it is small')],
  plan: (before) => [plans.draft((before % 8) + 1)],
  checkCalls: [{problems: []}],
  'review-plan': [ruling('approve')],
  previewTool: (_, open) => previewing(open),
  'review-action': [ruling('approve')],
  runTool: [ran],
  checkFiles: [{missing: []}],
  evaluate: [success],
  close: [saying('so it is')],
  checkText: [allow],
  ask: [saying('so it is')],
  discuss: (_, {path}) => [saying(`an answer by ${path}`)],
  'rank-answers': [ranking],
  conclude: [conclusion],
  'ask-plan': [{decision: 'approve'}],
  'ask-action': [{decision: 'approve'}],
  'ask-in-doubt': [{decision: 'done'}],
};

const badly: Answers = {
  ...well,
  surveyWorkspace: [{text: 'a survey', read: []}, performerCrash],
  explore: [saying('it is small'), failing('refused')],
  'review-plan': [ruling('approve'), ruling('reject')],
  'review-action': [ruling('approve'), ruling('reject')],
  runTool: [ran, broke, performerCrash],
  ask: [saying('so it is'), failing('refused'), failing('auth')],
  conclude: [conclusion, failing('refused')],
};

const [wellOf, badlyOf] = [answering(well), answering(badly)];

function plantTree(form: 'agent' | 'ask' | 'discuss'): RandomTree {
  const victims = {interaction: '', form: ''};
  const input = {
    id: rootId,
    form,
    contextMode: 'full',
    depth: 0,
    request: 'do it',
    workspace: '/w',
    settings: smallSettings('interactive', [policySeat], {maxIterations: 20}),
  };
  const played = play({machine: breakableTree(victims), input, isTree: true, outcomes: badlyOf});
  const dialogue = (): readonly RecordedDialogue[] =>
    played.find(recordId)?.getSnapshot().context.dialogue ?? [];
  const openWithin = (prefix: string) => played.open().filter((each) => each.startsWith(prefix));
  return {
    played,
    living: () => livingUnder(played.find('subject')),
    recorded: () => interactionsIn({...input, contextMode: 'full'}, dialogue()),
    dialogue,
    spawned: () =>
      played.reports.flatMap((each) => {
        const {type, child}: {type?: string; child?: string} = Object(each);
        return type === 'interaction.spawned' && child !== undefined ? [child] : [];
      }),
    openIn: (id) => openWithin(`${placeOf(id)}/form`),
    openUnder: (id) => openWithin(`${placeOf(id)}/`),
    crash: (id) =>
      strike(victims, 'interaction', id, () => {
        played.apply({type: 'send', event: {type: 'user.said', interaction: id, text: 'fall'}});
      }),
    crashForm: (id) =>
      strike(victims, 'form', id, () => {
        played.apply({type: 'send', event: {type: 'settings.changed', settings: {}}});
      }),
  };
}

/** Moves with outcomes that lead to an end. */
function goodMoves({played}: RandomTree): readonly Move[] {
  const settles = played.moves().flatMap((move): Move[] => {
    if (move.type !== 'settle') return [];
    const open = played.log.findLast(
      (logged) => logged.type === 'requested' && logged.path === move.path,
    );
    const [outcome] = open?.type === 'requested' ? wellOf(open, played.log) : [];
    return outcome ? [{...move, outcome}] : [];
  });
  return settles.length > 0 ? settles : played.moves().filter(({type}) => type === 'fire');
}

type Victims = Record<'interaction' | 'form', string>;

function strike(victims: Victims, kind: keyof Victims, id: string, hit: () => void): void {
  victims[kind] = id;
  hit();
  victims[kind] = '';
}

/** The tree's own charts, each of which throws when it is struck. */
function breakableTree(victims: Victims): AnyStateMachine {
  const fragileForm: AnyActorLogic = {
    ...formLogic,
    transition(snapshot, event, scope) {
      const above: InteractionContext | undefined = parentOf(scope.self)?.getSnapshot().context;
      if (above && above.id === victims.form) throw new Error('a bug in a form');
      return formLogic.transition(snapshot, event, scope);
    },
  };
  const interaction: AnyStateMachine = interactionMachine;
  const tree: AnyStateMachine = treeMachine;
  const fragile: AnyActorLogic = {
    getInitialSnapshot: (scope, input) => whole.getInitialSnapshot(scope, input),
    transition(snapshot, event, scope) {
      if (snapshot.context.id === victims.interaction) throw new Error('a bug in a chart');
      return whole.transition(snapshot, event, scope);
    },
    start: (snapshot) => whole.start(snapshot),
    getPersistedSnapshot: (snapshot) => whole.getPersistedSnapshot(snapshot),
  };
  const whole = interaction.provide({actors: {interaction: fragile, form: fragileForm}});
  return tree.provide({actors: {interaction: fragile}});
}

function livingUnder(actor: AnyActorRef | undefined): readonly Living[] {
  const snapshot: AnyMachineSnapshot | undefined = actor?.getSnapshot();
  if (snapshot?.status !== 'active') return [];
  const children: readonly (AnyActorRef | undefined)[] = Object.values(snapshot.children);
  const below = children
    .filter((child) => child?.id.startsWith('interaction') === true)
    .flatMap(livingUnder);
  if (snapshot.machine.id !== 'interaction') return below;
  const {id, form, parent, depth}: InteractionContext = snapshot.context;
  return [{id, form, parent, depth, isWaiting: snapshot.value === 'awaitingChildren'}, ...below];
}

/** The path of its actor. */
function placeOf(id: string): string {
  const numbers = id.split('.').slice(1);
  const ids = numbers.map((_, index) => [rootId, ...numbers.slice(0, index + 1)].join('.'));
  return ['subject', 'interaction', ...ids.map(interactionActor)].join('/');
}

/** A message to an actor that has crashed is not the fault of a chart. */
failOnWarnings((text) => text.includes('was sent to stopped actor'));

/** `at` selects one of the existing moves or interactions. */
type Step =
  | {readonly do: 'spawn'; readonly at: number; readonly form: string; readonly by: string}
  | {readonly do: 'settle' | 'say' | 'cancel' | 'crash' | 'crashForm'; readonly at: number}
  | {readonly do: 'cancelAll'};

const place = fc.nat({max: 1_000});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('spawn' as const),
      at: place,
      form: fc.constantFrom('agent', 'ask', 'discuss', 'ask', 'agent', 'discuss', 'review'),
      by: fc.constantFrom('person', 'model', 'rule'),
    }),
  },
  {weight: 12, arbitrary: fc.record({do: fc.constant('settle' as const), at: place})},
  {
    weight: 4,
    arbitrary: fc.record({do: fc.constantFrom('say', 'cancel', 'crash', 'crashForm'), at: place}),
  },
  {weight: 1, arbitrary: fc.constant({do: 'cancelAll' as const})},
);
const story = fc.record({
  form: fc.constantFrom('agent' as const, 'ask' as const, 'discuss' as const),
  steps: fc.array(step, {minLength: 10, maxLength: 60}),
});

/** The ids of all interactions so far, and of one that never existed. */
function addressesIn(tree: RandomTree): readonly string[] {
  return [...tree.recorded().map(({id}) => id), `${rootId}.99`];
}

function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(1, items.length)];
}

function isUnder(id: string, above: string): boolean {
  return id === above || id.startsWith(`${above}.`);
}

/** The state of a tree before a step strikes one of its interactions. */
interface Before {
  readonly living: readonly Living[];
  readonly open: ReadonlyMap<string, readonly string[]>;
}

function look(tree: RandomTree): Before {
  const living = tree.living();
  return {living, open: new Map(living.map(({id}) => [id, tree.openIn(id)]))};
}

/** Checks that unrelated interactions are unchanged, and that ancestors of `struck` still run unless they only waited. */
function checkBeside(tree: RandomTree, before: Before, struck: string): void {
  const ids = tree.living().map(({id}) => id);
  for (const {id, isWaiting} of before.living) {
    if (isUnder(id, struck)) continue;
    const isAbove = isUnder(struck, id);
    if (!isAbove || !isWaiting) expect(ids).toContain(id);
    if (!isAbove) expect(tree.openIn(id)).toEqual(before.open.get(id));
  }
}

function checkGone(tree: RandomTree, struck: string): void {
  expect(tree.living().filter(({id}) => isUnder(id, struck))).toEqual([]);
  expect(tree.openUnder(struck)).toEqual([]);
}

function cancel(tree: RandomTree, id: string): void {
  const before = look(tree);
  tree.played.apply({type: 'send', event: {type: 'interaction.cancel', interaction: id}});
  if (id === rootId) return expect(tree.played.status()).toBe('done');
  checkGone(tree, id);
  if (tree.played.status() === 'working') checkBeside(tree, before, id);
  return undefined;
}

function crash(tree: RandomTree, id: string): void {
  const before = look(tree);
  const isLiving = before.living.some((each) => each.id === id);
  tree.crash(id);
  if (!isLiving) return;
  checkGone(tree, id);
  if (id === rootId) {
    expect(tree.played.output()).toMatchObject({status: 'error', summary: 'a bug in a chart'});
    expect(tree.played.open()).toEqual([]);
    return;
  }
  const crashed = {
    type: 'interaction.settled',
    child: id,
    status: 'error',
    summary: 'a bug in a chart',
  };
  expect(tree.played.reports).toContainEqual(expect.objectContaining(crashed));
  if (tree.played.status() === 'working') checkBeside(tree, before, id);
}

function crashForm(tree: RandomTree, id: string): void {
  const before = look(tree);
  const struck = before.living.find((each) => each.id === id);
  tree.crashForm(id);
  if (!struck || struck.isWaiting) return;
  expect(tree.openIn(id)).toEqual([]);
  const below = before.living.filter((each) => each.parent === id);
  const ids = tree.living().map((each) => each.id);
  for (const child of below) expect(ids).toContain(child.id);
  if (below.length > 0) expect(ids).toContain(id);
}

function say(tree: RandomTree, id: string): void {
  const before = tree.dialogue().length;
  const isReceived = tree.living().some((each) => each.id === id && !each.isWaiting);
  tree.played.apply({type: 'send', event: {type: 'user.said', interaction: id, text: 'hello'}});
  const said = tree.dialogue().slice(before);
  const received = said.map(({type, path}) => ({type, interaction: interactionIn(path, rootId)}));
  expect(received).toEqual(isReceived ? [{type: 'user.said', interaction: id}] : []);
}

function spawn(tree: RandomTree, parent: string, form: string, by: string): void {
  const [before, nodes] = [tree.dialogue().length, tree.recorded()];
  const above = tree.living().find(({id}) => id === parent);
  const request = 'do it, too';
  tree.played.apply({type: 'send', event: {type: 'interaction.spawn', parent, form, request, by}});
  const number = childrenOf(nodes, parent).length + 1;
  const isSpawned = above && !above.isWaiting && above.depth < maxDepth && form !== 'review';
  expect(tree.dialogue().slice(before)).toMatchObject(
    isSpawned
      ? [
          {
            type: 'interaction.spawned',
            child: `${parent}.${number}`,
            depth: above.depth + 1,
            form,
            by,
          },
        ]
      : [{type: 'interaction.refused', parent, form}],
  );
}

function take(tree: RandomTree, next: Step): void {
  if (next.do === 'cancelAll') tree.played.apply({type: 'send', event: {type: 'user.cancel'}});
  else if (next.do === 'settle') {
    const move = pick(tree.played.moves(), next.at);
    if (move) tree.played.apply(move);
  } else {
    const id = pick(addressesIn(tree), next.at) ?? rootId;
    if (next.do === 'spawn') spawn(tree, id, next.form, next.by);
    else ({say, cancel, crash, crashForm})[next.do](tree, id);
  }
}

/** Checks that the record describes the tree of actors, and that it is one tree. */
function expectOneTree(tree: RandomTree): void {
  const nodes = tree.recorded();
  const ids = nodes.map(({id}) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const {id, parent, depth} of nodes) {
    expect(depth).toBeLessThanOrEqual(maxDepth);
    expect(id.split('.')).toHaveLength(depth + 1);
    expect(parent).toBe(depth === 0 ? undefined : id.slice(0, id.lastIndexOf('.')));
  }
  if (tree.played.status() !== 'working') return;
  const atWork = nodes.filter(({result}) => !result);
  const living = tree.living().map(({id, form, parent, depth}) => ({id, form, parent, depth}));
  expect(living.toSorted(byId)).toEqual(
    atWork.map(({id, form, parent, depth}) => ({id, form, parent, depth})).toSorted(byId),
  );
}

function byId(one: {readonly id: string}, other: {readonly id: string}): number {
  return one.id.localeCompare(other.id, 'en', {numeric: true});
}

/** Continues with good outcomes only. A tree that needs more moves than the limit counts as endless. */
function expectEnd(tree: RandomTree): void {
  let moves = 0;
  for (let [move] = goodMoves(tree); move && moves < 2_000; [move] = goodMoves(tree)) {
    tree.played.apply(move);
    moves += 1;
  }
  expect(tree.played.status()).toBe('done');
  const {interactions = []}: {interactions?: readonly InteractionEnd[]} = Object(
    tree.played.output(),
  );
  expect(interactions.map(({status}) => status)).not.toContain('active');
  expect(interactions.map(({id}) => id)).toEqual(tree.spawned());
}

describe('after any steps of a tree', () => {
  test('its record describes its actors, cancels and crashes reach all descendants and no siblings, and it ends', () => {
    fc.assert(
      fc.property(story, ({form, steps}) => {
        const tree = plantTree(form);
        for (const next of steps) {
          if (tree.played.status() !== 'working') break;
          take(tree, next);
          expectOneTree(tree);
        }
        expectEnd(tree);
        expect(tree.played.open()).toEqual([]);
      }),
      {numRuns: isDeep ? 200 : 40},
    );
  });
});
