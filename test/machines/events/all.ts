/** All scenarios in which the charts are explored, each with its laws. */

import type {LawfulScenario} from '../explored.ts';
import {actionReviews} from './action-review.ts';
import {disturbedAgents, executingAgents, plannedAgents} from './agent.ts';
import {asks} from './ask.ts';
import {claimChecks} from './claim-check.ts';
import {closings} from './closing.ts';
import {commands} from './command.ts';
import {debates} from './debate.ts';
import {discussions} from './discuss.ts';
import {ensembles} from './ensemble.ts';
import {evaluations} from './evaluation.ts';
import {executions} from './execution.ts';
import {gatherings} from './gathering.ts';
import {advisedAgents, interactions} from './interaction.ts';
import {interviews} from './interview.ts';
import {calls, decided, gates, leftAlone, panels, spawning, unoffered, untimed} from './lawful.ts';
import {locks} from './lock.ts';
import {modelCalls} from './model-call.ts';
import {plannings} from './planning.ts';
import {polls} from './poll.ts';
import {reviews} from './review.ts';
import {tasks} from './task.ts';
import {turnLoops} from './turn-loop.ts';

export const lawfulScenarios: readonly LawfulScenario[] = [
  ...interactions,
  ...advisedAgents,
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
  ...panels,
  ...gates,
  ...calls,
  ...untimed,
  ...spawning,
  leftAlone,
  ...decided,
  unoffered,
  ...modelCalls,
  ...locks,
];
