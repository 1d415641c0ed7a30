/** Panels and tool calls to explore, each with its laws. */

import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {panelLaws} from '../laws-panel.ts';
import {requestsOf, unless, valueIn} from '../laws-record.ts';
import {toolCallLaws} from '../laws.ts';
import {hilModes, spawningScenario, toolCallScenario} from './model-call.ts';
import {panelScenarios} from './quorum.ts';
import {readFile, runCommand, spawnAsk, writeFile} from './settings.ts';

export const panels = panelScenarios.map(({name, scenario, ...panel}): LawfulScenario => ({
  name,
  scenario,
  law: panelLaws(panel),
}));

const modes = hilModes.flatMap((mode) =>
  [0, 2].map((rejections) => [writeFile, mode, rejections] as const),
);
export const calls = [
  ...modes,
  [runCommand, 'interactive', 0] as const,
  [runCommand, 'auto_approve', 0] as const,
  [readFile, 'interactive', 0] as const,
].map(([tool, mode, rejections]): LawfulScenario => ({
  name: `${tool.name} in mode ${mode} after ${rejections} rejections`,
  scenario: toolCallScenario(tool, mode, rejections),
  law: toolCallLaws(tool, mode),
}));

export const untimed = [writeFile, readFile].map((tool): LawfulScenario => ({
  name: `${tool.name} without a time limit`,
  scenario: toolCallScenario(tool, 'interactive', 0, {isTimed: false}),
  law: toolCallLaws(tool, 'interactive'),
}));

export const unoffered: LawfulScenario = {
  name: 'a tool that is not offered',
  scenario: toolCallScenario(readFile, 'interactive', 0, {isOffered: false}),
  law: (played) => [
    ...unless(requestsOf(played.log, 'runTool').length === 0, 'it runs'),
    ...unless(valueIn(played.output(), 'result', 'status') === 'refused', 'it is not refused'),
  ],
};

/** A review may decide on a call before its actor starts. */
export const decided = [
  {kind: 'rejected', reasons: ['it is not needed']},
  {kind: 'refused', failure: {code: 'void', message: 'a call before it failed'}},
].map((review): LawfulScenario => {
  const scenario = toolCallScenario(writeFile, 'interactive', 0);
  return {
    name: `a call that the review of its turn has ${review.kind}`,
    scenario: {...scenario, input: Object.assign({}, scenario.input, {decided: review})},
    law: (played) => [
      ...unless(requestsOf(played.log, 'runTool').length === 0, 'it runs'),
      ...unless(valueIn(played.output(), 'result', 'status') === review.kind, 'it has another end'),
    ],
  };
});

const onlySpawns = 'a call that only spawns leaves tool and lock alone';

export const spawning = hilModes.map((mode): LawfulScenario => ({
  name: `that spawns in mode ${mode}`,
  scenario: spawningScenario(mode, true),
  law: {...toolCallLaws(spawnAsk, mode), [onlySpawns]: touchedIn},
}));

export const leftAlone: LawfulScenario = {
  name: 'that spawns and does not wait',
  scenario: spawningScenario('interactive', false),
  law: {[onlySpawns]: touchedIn},
};

function touchedIn({log}: Played): string[] {
  return log.flatMap((each) =>
    each.type === 'requested' && ['runTool', 'lockWorkspace'].includes(each.port)
      ? [`${each.port} is requested`]
      : [],
  );
}
