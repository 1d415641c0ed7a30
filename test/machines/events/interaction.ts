/** Interactions to explore: an agent that runs to each of its ends, and messages that come at every moment. */

import {treeMachine} from '../../../machines/tree/tree.ts';
import {treeFaults} from '../laws-agent.ts';
import {askFaults} from '../laws-ask.ts';
import type {Expedition} from '../survey.ts';
import {oneRead} from './agent-plans.ts';
import {changes, disturbed, expeditionOf, gated, type Mission, type Stage} from './agent.ts';
import {asks, question} from './ask.ts';
import {failing, ruling, saying} from './outcomes.ts';

const stage: Stage = {
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

const missions: readonly Mission[] = [
  {
    name: 'that loses its provider, or whose plan is voted down',
    shape: oneRead,
    agent: {maxPlanRevisions: 1},
    hilMode: 'auto_reject',
    answers: () => ({
      explore: [saying('it is small'), failing('auth')],
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
    name: 'that a limit may stop at every moment',
    messages: [{type: 'limit.reached', limit: 'timeout_ms'}],
  },
  {
    ...gated,
    name: 'whose mode may change at every moment',
    messages: changes('auto_approve', 'auto_reject'),
  },
];

/** Of the other form: that it is run, and hears what comes from outside. */
const askings = asks.map(({name, scenario}): Expedition => ({
  name: `with a question ${name}`,
  scenario: {
    ...scenario,
    machine: treeMachine,
    isTree: true,
    input: {id: 'subject', form: 'ask', contextMode: 'projected', depth: 0, ...question},
  },
  law: (world) => [
    ...askFaults(world, 'subject/interaction/form', question.settings.ask.maxSteps),
    ...treeFaults(world),
  ],
}));

export const interactions: readonly Expedition[] = [
  ...missions.map((mission) => expeditionOf(stage, mission)),
  ...askings,
];
