/** Gatherings to explore: explorers that read, try to change something, or lose their provider. */

import {gatheringMachine} from '../../../machines/forms/agent/gathering/gathering.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {gatheringFaults} from '../laws-phases.ts';
import {settlementsOf, unless, valueIn} from '../laws-record.ts';
import {answering} from './answers.ts';
import {broke, calling, failing, ran, saying} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

const settings = smallSettings('interactive', [policySeat]);

const input = {
  request: 'do it',
  workspace: '/w',
  model: settings.agent.explorationModel,
  tools: settings.tools,
  panel: panelRules(settings),
  maxTurns: settings.agent.maxToolTurns,
  maxRetries: settings.agent.maxToolRetries,
  maxSurveyBytes: 1_000,
  maxBytes: 4_000,
};

export const gatherings: readonly LawfulScenario[] = [
  {
    name: 'whose explorer may try anything',
    scenario: {
      machine: gatheringMachine,
      input,
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
  {
    name: 'of a workspace that may be small',
    scenario: {
      machine: gatheringMachine,
      input: {...input, mode: 'auto'},
      outcomes: answering({
        surveyWorkspace: [
          {text: 'a survey', read: ['README.md'], files: 9, sources: []},
          {text: 'a survey', read: ['README.md'], files: 10, sources: []},
        ],
        explore: [saying('it is small')],
      }),
    },
    law: (played) => [...gatheringFaults(played), ...smallFaults(played)],
  },
];

/** A small workspace needs no model. */
function smallFaults(played: Played): string[] {
  if (played.status() !== 'done') return [];
  const survey = settlementsOf(played.log, 'surveyWorkspace').at(-1)?.outcome;
  const isAsked = settlementsOf(played.log, 'callModel').length > 0;
  const isSmall = valueIn(survey, 'files') === 9;
  return unless(isAsked !== isSmall, 'a model explores a small workspace, or none a large one');
}
