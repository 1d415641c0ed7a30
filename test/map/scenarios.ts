/** The scenarios that are played to find the messages of the charts: all in which the charts are explored, and a call that spawns. */

import {actionReviews} from '../machines/events/action-review.ts';
import {work} from '../machines/events/agent-plans.ts';
import {
  disturbedAgents,
  executingAgents,
  lawfulScenario,
  plannedAgents,
} from '../machines/events/agent.ts';
import {asks} from '../machines/events/ask.ts';
import {claimChecks} from '../machines/events/claim-check.ts';
import {closings} from '../machines/events/closing.ts';
import {commands} from '../machines/events/command.ts';
import {debates} from '../machines/events/debate.ts';
import {discussions} from '../machines/events/discuss.ts';
import {ensembles} from '../machines/events/ensemble.ts';
import {evaluations} from '../machines/events/evaluation.ts';
import {executions} from '../machines/events/execution.ts';
import {gatherings} from '../machines/events/gathering.ts';
import {around, counselledAgents, interactions} from '../machines/events/interaction.ts';
import {interviews} from '../machines/events/interview.ts';
import {locks} from '../machines/events/lock.ts';
import {modelCalls} from '../machines/events/model-call.ts';
import {allow, calling, saying} from '../machines/events/outcomes.ts';
import {plannings} from '../machines/events/planning.ts';
import {polls} from '../machines/events/poll.ts';
import {panelScenarios} from '../machines/events/quorum.ts';
import {reviews} from '../machines/events/review.ts';
import {spawnAsk} from '../machines/events/settings.ts';
import {tasks} from '../machines/events/task.ts';
import {turnLoops} from '../machines/events/turn-loop.ts';
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

export const scenarios: readonly Scenario[] = [
  spawning,
  ...interactions,
  ...counselledAgents,
  ...plannedAgents,
  ...executingAgents,
  ...disturbedAgents,
  ...asks,
  ...discussions,
  ...debates,
  ...reviews,
  ...commands,
  ...interviews,
  ...gatherings,
  ...plannings,
  ...ensembles,
  ...executions,
  ...tasks,
  ...turnLoops,
  ...actionReviews,
  ...evaluations,
  ...closings,
  ...claimChecks,
  ...polls,
  ...panelScenarios,
  ...modelCalls,
  ...locks,
].map(({scenario}) => scenario);
