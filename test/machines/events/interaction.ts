/** Interactions to explore: an agent that runs to each of its ends, and messages that come at every moment. */

import type {AnyEventObject} from 'xstate';

import type {Settings} from '../../../machines/domain/settings.ts';
import type {SpawnRule} from '../../../machines/domain/spawn-rule.ts';
import type {RecordedDialogue} from '../../../machines/facts/fact.ts';
import type {Spawner} from '../../../machines/tree/form-event.ts';
import {interactionIn} from '../../../machines/tree/path.ts';
import {treeMachine} from '../../../machines/tree/tree.ts';
import type {LawfulScenario} from '../explored.ts';
import {treeFaults} from '../laws-agent.ts';
import {askFaults} from '../laws-ask.ts';
import {ruleFaults} from '../laws-rules.ts';
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
import {answering} from './answers.ts';
import {asks, question} from './ask.ts';
import {broke, failing, ran, ruling, saying} from './outcomes.ts';

/** A tree whose form is an agent. */
export const around: Surroundings = {
  machine: treeMachine,
  path: 'subject/interaction/form',
  isTree: true,
  input: (settings) => ({
    id: 'subject',
    form: 'agent',
    contextMode: 'full',
    depth: 0,
    request: 'do it',
    workspace: '/w',
    settings,
  }),
  law: treeFaults,
};

/** As deep as an interaction may be. */
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

/** Of the other form: that it is run, and hears what comes from outside. */
const askings = asks.map(({name, scenario}): LawfulScenario => ({
  name: `with a question ${name}`,
  scenario: {
    ...scenario,
    machine: treeMachine,
    isTree: true,
    input: {id: 'subject', form: 'ask', contextMode: 'projected', depth: 0, ...question},
  },
  law: (played) => [
    ...askFaults(played, 'subject/interaction/form', question.settings.ask.maxSteps),
    ...treeFaults(played),
  ],
}));

/** A question below an agent, which may go on when that is answered, and a second one below the first. */
const nested: AgentScenario = {
  name: 'below which a person has questions answered',
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

/** An agent in which rules are met: by plans that are voted down or not voted on, and by a task that fails. */
const ruled: AgentScenario = {
  name: 'in which rules are met',
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

/** An agent that waits for what a rule has asked before it revises, or plans anew. */
const counselled: AgentScenario = {
  name: 'that waits for what a rule has begun',
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

export const counselledAgents: readonly LawfulScenario[] = [lawfulScenario(around, counselled)];

/** What is said to one interaction is said once; what is spawned below one is one. */
function isNew(message: AnyEventObject, dialogue: readonly RecordedDialogue[]): boolean {
  return !dialogue.some(
    (told) =>
      ('parent' in told && told.parent === message['parent']) ||
      (told.type === 'user.said' && interactionIn(told.path, 'subject') === message['interaction']),
  );
}

/** A question, and one below it, to whom everything may be said at every moment. */
const spokenTo: LawfulScenario = {
  name: 'to which everything may be said at every moment',
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

/** Questions below it come also when it has its own answer. */
const spokenToLate: LawfulScenario = {
  ...spokenTo,
  name: 'below which questions are asked at every moment',
  scenario: {
    ...spokenTo.scenario,
    messages: [spawning('subject')],
    mayCome: (_, dialogue) => dialogue.filter((told) => 'parent' in told).length < 2,
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
