/** Programs that build for the web, and servers for the result. */

import type {Refinements} from '../program.ts';
import {all, onlyTasks, servesHere} from './refine.ts';

const tasks =
  /^(?:dev|build|start|lint|info|test|check|typecheck|type-check|prepare|generate|preview|sync|typegen|routes|serve|develop|export:check|build-storybook|doctor|analyze|telemetry-status)$/;

export const bundlers: Refinements = {
  servesOnlyHere: servesHere('--host'),
  bundlerTasks: onlyTasks(/^(?:build|b|bundle|serve|server|s|watch|w|info|version|help)$|[./]/),
  frameworkTasks: all(onlyTasks(tasks), servesHere('-H --hostname --host')),
};
