/** Interactions to explore: an agent that runs to each of its ends, and messages that come at every moment. */

import type {AnyEventObject} from 'xstate';

import type {Settings} from '../../../machines/domain/settings.ts';
import {treeMachine} from '../../../machines/tree/tree.ts';
import type {LawfulScenario} from '../explored.ts';
import {treeFaults} from '../laws-agent.ts';
import {askFaults} from '../laws-ask.ts';
import {oneRead} from './agent-plans.ts';
import {
  changes,
  disturbed,
  lawfulScenario,
  gated,
  type AgentScenario,
  type Surroundings,
} from './agent.ts';
import {asks, question} from './ask.ts';
import {failing, ruling, saying} from './outcomes.ts';

const around: Surroundings = {
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
  messages: [
    spawning('subject'),
    spawning('subject.1'),
    {type: 'user.said', interaction: 'subject.1', text: 'be brief'},
  ],
};

function spawning(parent: string): AnyEventObject {
  return {
    type: 'interaction.spawn',
    parent,
    form: 'ask',
    request: 'what is it?',
    by: 'person',
  };
}

export const interactions: readonly LawfulScenario[] = [
  lawfulScenario({...around, input: deep}, {...nested, name: 'too deep for questions'}),
  lawfulScenario(around, nested),
  ...scenarios.map((short) => lawfulScenario(around, short)),
  ...askings,
];
