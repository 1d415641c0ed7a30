/** All scenarios in which the charts are explored, each with its laws. */

import type {LawfulScenario} from '../explored.ts';
import {actionReviews} from './action-review.ts';
import {disturbedAgents, executingAgents, plannedAgents} from './agent.ts';
import {calls, decided, leftAlone, spawning, unoffered, untimed, turnLoops} from './calls.ts';
import {executions, locks, tasks} from './execution.ts';
import {asks, debates, discussions} from './forms.ts';
import {advisedAgents, interactions} from './interaction.ts';
import {interviews} from './interview.ts';
import {ensembles} from './phases.ts';
import {panels, polls} from './quorum.ts';

export const lawfulScenarios: readonly LawfulScenario[] = [
  ...interactions,
  ...advisedAgents,
  ...plannedAgents,
  ...executingAgents,
  ...disturbedAgents,
  ...asks,
  ...discussions,
  ...debates,
  ...interviews,
  ...ensembles,
  ...executions,
  ...tasks,
  ...turnLoops,
  ...actionReviews,
  ...polls,
  ...panels,
  ...calls,
  ...untimed,
  ...spawning,
  leftAlone,
  ...decided,
  unoffered,
  ...locks,
];
