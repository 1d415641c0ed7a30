/** Gatherings to explore: explorers that read, try to change something, or lose their provider. */

import {gatheringMachine} from '../../../machines/forms/agent/gathering/gathering.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {gatheringFaults} from '../laws-phases.ts';
import {answering} from './answers.ts';
import {broke, calling, failing, ran, saying} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

const settings = smallSettings('interactive', [policySeat]);

export const gatherings: readonly LawfulScenario[] = [
  {
    name: 'whose explorer may try anything',
    scenario: {
      machine: gatheringMachine,
      input: {
        request: 'do it',
        workspace: '/w',
        model: settings.agent.explorationModel,
        tools: settings.tools,
        panel: panelRules(settings),
        maxTurns: settings.agent.maxToolTurns,
        maxRetries: settings.agent.maxToolRetries,
        maxSurveyBytes: 1_000,
        maxBytes: 4_000,
      },
      outcomes: answering({
        surveyWorkspace: [{text: 'a survey', read: ['README.md']}, crash],
        explore: (before) => [
          saying('it is small'),
          calling('read_file', {path: 'x'}),
          calling('write_file', {path: 'x'}),
          failing('refused'),
          ...(before === 0 ? [failing('auth'), failing('overloaded'), crash] : []),
        ],
        runTool: [ran, broke],
      }),
    },
    law: gatheringFaults,
  },
];
