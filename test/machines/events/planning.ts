/** Planning to explore: drafts that are valid, circular, prose or lost, and checks that find problems in their calls. */

import {planningMachine} from '../../../machines/forms/agent/planning/planning.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {planningLaws} from '../laws-phases.ts';
import {answering} from './answers.ts';
import {calling, failing, saying} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

const {tools, maxOutputTokens} = smallSettings('interactive', [policySeat]);

/** The input of a planning, except the brief. */
export const planningGround = {
  model: 'test/decider',
  tools,
  ground: {settled: [], open: []},
  maxOutputTokens,
};

const plan = {
  objective: 'plan',
  reasoning: '',
  tasks: [
    {id: 'a', description: 'read', tool: 'read_file', args: {path: 'x'}},
    {id: 'b', description: 'write', tool: 'write_file', depends_on: ['a']},
  ],
};
const sound = calling('create_plan', plan);
const calls = [{task: 'a', tool: 'read_file', args: {path: 'x'}}];
const brief = {
  request: 'do it',
  background: [],
  rounds: [],
  runs: [],
  maxResults: 9000,
};
const checkCalls = [{problems: []}, {problems: ['task a: no path']}, crash];
const circular = calling('create_plan', {
  objective: 'plan',
  reasoning: '',
  tasks: [{id: 'a', description: 'read', depends_on: ['a']}],
});

export const plannings: readonly LawfulScenario[] = [
  {
    name: 'whose drafts may be anything',
    scenario: {
      machine: planningMachine,
      input: {...planningGround, brief},
      outcomes: answering({
        plan: (before) =>
          before === 0
            ? [sound, circular, saying('I will not.'), failing('auth'), failing('network'), crash]
            : [sound, circular, failing('truncated'), failing('billing')],
        checkCalls,
        awaitResume: [{resumed: true}, crash],
      }),
    },
    law: planningLaws(sound, calls),
  },
  {
    name: 'with a plan that a person gave',
    scenario: {
      machine: planningMachine,
      input: {...planningGround, brief, given: plan},
      outcomes: answering({checkCalls}),
    },
    law: planningLaws(sound, calls, 1),
  },
];
