/**
 * The scenarios that are played to find the messages of the charts: all in which the charts are explored, and one with a
 * spawning call.
 */

import {work} from '../machines/events/agent-plans.ts';
import {lawfulScenario} from '../machines/events/agent.ts';
import {lawfulScenarios} from '../machines/events/all.ts';
import {around} from '../machines/events/interaction.ts';
import {allow, calling, saying} from '../machines/events/outcomes.ts';
import {spawnAsk} from '../machines/events/settings.ts';
import type {Scenario} from '../support/played.ts';

/** An agent whose task asks a question below it. */
const spawning = lawfulScenario(
  {
    ...around,
    input: (settings) => around.input({...settings, tools: [...settings.tools, spawnAsk]}),
  },
  {
    name: 'whose task asks a question',
    shape: work,
    answers: () => ({
      act: (before) => [
        before === 0 ? calling('spawn_ask', {request: 'what is it?'}) : saying('done'),
      ],
      checkText: [allow],
      ask: [saying('so it is')],
    }),
  },
);

export const scenarios: readonly Scenario[] = [spawning, ...lawfulScenarios].map(
  ({scenario}) => scenario,
);
