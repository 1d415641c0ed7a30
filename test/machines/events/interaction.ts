/** Interactions to explore: an agent that runs to each of its ends, and messages that come at every moment. */

import type {AnyEventObject} from 'xstate';

import type {Settings, SpawnRule} from '../../../machines/domain/settings.ts';
import type {RecordedDialogue} from '../../../machines/facts/fact.ts';
import type {Spawner} from '../../../machines/tree/form-event.ts';
import {interactionIn} from '../../../machines/tree/path.ts';
import {treeMachine} from '../../../machines/tree/tree.ts';
import type {LawfulScenario} from '../explored.ts';
import {treeFaults, ruleFaults} from '../laws-agent.ts';
import {askFaults} from '../laws-forms.ts';
import {oneRead} from './agent-plans.ts';
import {
  changes,
  disturbed,
  lawfulScenario,
  gated,
  votes,
  type AgentScenario,
  problem,
  success,
  type Surroundings,
} from './agent.ts';
import {asks, question} from './forms.ts';
import {answering, broke, failing, ran, ruling, saying} from './outcomes.ts';
import {treeInput} from './settings.ts';

/** A tree whose form is an agent. */
export const around: Surroundings = {
  machine: treeMachine,
  path: 'subject/interaction/form',
  isTree: true,
  input: (settings) => treeInput('agent', settings, {id: 'subject'}),
  law: treeFaults,
};

/** The input of an interaction at the greatest depth. */
function deep(settings: Settings): object {
  return {...around.input(settings), depth: 3};
}

const scenarios: readonly AgentScenario[] = [
  {
    name: 'whose model is down for a while, or whose plan is voted down',
    shape: oneRead,
    agent: {maxPlanRevisions: 1},
    hilMode: 'auto_reject',
    answers: () => ({
      explore: (before) => [saying('it is small'), ...(before === 0 ? [failing('auth')] : [])],
      'review-plan': [ruling('approve'), ruling('reject')],
    }),
  },
  {
    ...disturbed,
    name: 'that a person may cancel at every moment',
    messages: [{type: 'user.cancel'}],
  },
  {
    ...gated,
    name: 'whose mode may change at every moment',
    messages: changes('auto_approve', 'auto_reject'),
  },
];

/** Interactions of the form `ask`: the form runs, and receives messages from outside. */
const askings = asks.map(({name, scenario}): LawfulScenario => ({
  name: `with a question ${name}`,
  scenario: {
    ...scenario,
    machine: treeMachine,
    isTree: true,
    input: Object.assign(
      {id: 'subject', form: 'ask', contextMode: 'projected', depth: 0},
      scenario.input,
    ),
  },
  law: (played) => [
    ...askFaults(played, 'subject/interaction/form', question.settings.ask.maxSteps),
    ...treeFaults(played),
  ],
}));

/** A question below an agent, which may continue when the question is answered, and a second question below the first. */
const nested: AgentScenario = {
  name: 'below which a person asks questions',
  shape: oneRead,
  agent: {maxReplans: 0},
  answers: () => ({
    checkText: [{action: 'allow', reason: '', details: {}}],
    ask: [saying('so it is')],
  }),
  messages: [spawning('subject'), spawning('subject.1')],
  mayCome: isNew,
};

const rules: readonly SpawnRule[] = [
  {event: 'plan.rejected', nth: 2, form: 'ask', request: 'why not the second?'},
  {event: 'quorum.noQuorum', nth: 1, form: 'ask', request: 'who was silent?'},
  {event: 'task.failed', nth: 1, form: 'ask', request: 'why did it fail?'},
];

/** An agent whose rules fire: on plans that are rejected or find no quorum, and on a task that fails. */
const ruled: AgentScenario = {
  name: 'in which rules fire',
  shape: oneRead,
  agent: {maxPlanRevisions: 3, maxReplans: 0},
  hilMode: 'auto_reject',
  answers: () => ({
    'review-plan': (before) => (before === 0 ? [ruling('reject'), ruling('abstain')] : votes),
    runTool: [ran, broke],
    checkText: [{action: 'allow', reason: '', details: {}}],
    ask: [saying('so it is')],
  }),
};

function spawning(parent: string, by: Spawner = 'person'): AnyEventObject {
  return {
    type: 'interaction.spawn',
    parent,
    form: 'ask',
    request: 'what is it?',
    contextMode: 'fresh',
    by,
  };
}

/** An agent that waits for the interaction of a rule before it revises or replans. */
const advised: AgentScenario = {
  name: 'that waits for an interaction that a rule has spawned',
  shape: oneRead,
  agent: {maxReplans: 1, maxPlanRevisions: 2},
  answers: () => ({
    checkText: [{action: 'allow', reason: '', details: {}}],
    ask: [saying('so it is')],
    'review-plan': votes,
    evaluate: [success, problem],
  }),
  hilMode: 'auto_reject',
  messages: [spawning('subject', 'rule')],
  mayCome: isNew,
};

export const advisedAgents: readonly LawfulScenario[] = [lawfulScenario(around, advised)];

/** Allows one text to each interaction, and one spawn below each. */
function isNew(message: AnyEventObject, dialogue: readonly RecordedDialogue[]): boolean {
  return !dialogue.some(
    (recorded) =>
      ('parent' in recorded && recorded.parent === message['parent']) ||
      (recorded.type === 'user.said' &&
        interactionIn(recorded.path, 'subject') === message['interaction']),
  );
}

/** A question, and one below it, which may receive every message at every moment. */
const spokenTo: LawfulScenario = {
  name: 'that may receive every message at every moment',
  scenario: {
    machine: treeMachine,
    isTree: true,
    input: {id: 'subject', form: 'ask', contextMode: 'projected', depth: 0, ...question},
    outcomes: answering({
      checkText: [{action: 'allow', reason: '', details: {}}],
      ask: [saying('so it is')],
    }),
    messages: [
      spawning('subject'),
      ...['subject', 'subject.1', 'nobody'].flatMap((interaction) => [
        {type: 'user.said', interaction, text: 'be brief'},
        {type: 'interaction.cancel', interaction},
      ]),
      {type: 'user.cancel'},
      {type: 'settings.changed', settings: {ask: {maxSteps: question.settings.ask.maxSteps}}},
      {type: 'form.changed', questionnaire: {id: 'none', title: 'None', fields: [], facts: []}},
    ],
    mayCome: isNew,
  },
  law: treeFaults,
};

/** Questions are spawned below it also after it has its own answer. */
const spokenToLate: LawfulScenario = {
  ...spokenTo,
  name: 'below which questions are asked at every moment',
  scenario: {
    ...spokenTo.scenario,
    messages: [spawning('subject')],
    mayCome: (_, dialogue) => dialogue.filter((recorded) => 'parent' in recorded).length < 2,
  },
};

export const interactions: readonly LawfulScenario[] = [
  lawfulScenario({...around, input: deep}, {...nested, name: 'too deep for questions'}),
  lawfulScenario(around, nested),
  lawfulScenario(
    {
      ...around,
      input: (settings) => around.input({...settings, spawn: rules}),
      law: (played) => [...treeFaults(played), ...ruleFaults(played, 'subject', rules)],
    },
    ruled,
  ),
  spokenTo,
  spokenToLate,
  ...scenarios.map((short) => lawfulScenario(around, short)),
  ...askings,
];
