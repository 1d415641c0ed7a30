/** A tree of interactions among puppets, with all possible events: spawns, messages, cancels, crashes, outcomes. */

import type {AnyActorLogic, AnyActorRef, AnyMachineSnapshot, AnyStateMachine} from 'xstate';

import type {RecordedDialogue} from '../../machines/facts/fact.ts';
import {recordId} from '../../machines/facts/record.ts';
import {formLogic} from '../../machines/forms/forms.ts';
import {interactionMachine, treeMachine} from '../../machines/index.ts';
import type {InteractionContext} from '../../machines/tree/children.ts';
import {type InteractionNode, interactionsIn} from '../../machines/tree/interaction-tree.ts';
import {interactionActor, parentOf} from '../../machines/tree/path.ts';
import {plansOf, writeThenRead} from '../machines/events/agent-plans.ts';
import {success} from '../machines/events/agent.ts';
import {type Answers, answering} from '../machines/events/answers.ts';
import {
  allow,
  broke,
  conclusion,
  failing,
  previewing,
  ran,
  ranking,
  ruling,
  saying,
} from '../machines/events/outcomes.ts';
import {policySeat, smallSettings} from '../machines/events/settings.ts';
import {crash} from './hand-performer.ts';
import {type Move, play, type Played} from './played.ts';

/** True while the interaction is at work, according to its actor. */
export interface Living {
  readonly id: string;
  readonly form: string;
  readonly parent: string | undefined;
  readonly depth: number;
  /** Its form has ended: it waits for its children. */
  readonly isWaiting: boolean;
}

export interface RandomTree {
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

export const rootId = 'root';

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
  surveyWorkspace: [{text: 'a survey', read: []}, crash],
  explore: [saying('it is small'), failing('refused')],
  'review-plan': [ruling('approve'), ruling('reject')],
  'review-action': [ruling('approve'), ruling('reject')],
  runTool: [ran, broke, crash],
  ask: [saying('so it is'), failing('refused'), failing('auth')],
  conclude: [conclusion, failing('refused')],
};

const [wellOf, badlyOf] = [answering(well), answering(badly)];

export function plantTree(form: 'agent' | 'ask' | 'discuss'): RandomTree {
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
export function goodMoves({played}: RandomTree): readonly Move[] {
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
