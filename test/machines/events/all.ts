/** All scenarios in which the charts are explored, each with its laws. */

import type {LawfulScenario} from '../explored.ts';
import {actionReviews} from './action-review.ts';
import {disturbedAgents, executingAgents, plannedAgents} from './agent.ts';
import {executions, locks, tasks} from './execution.ts';
import {asks, debates, discussions} from './forms.ts';
import {advisedAgents, interactions} from './interaction.ts';
import {interviews} from './interview.ts';
import {calls, decided, gates, leftAlone, panels, spawning, unoffered, untimed} from './lawful.ts';
import {modelCalls, turnLoops} from './model-call.ts';
import {claimChecks, closings, ensembles, evaluations, gatherings, plannings} from './phases.ts';
import {polls} from './quorum.ts';
import {commands, reviews} from './root-forms.ts';

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
