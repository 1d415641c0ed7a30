/** The specifications, in the order of the spec map. */

import {agentSystem} from './agent-system.ts';
import {autonomousLoop} from './autonomous-loop.ts';
import {formInterview} from './form-interview.ts';
import {interactionModel} from './interaction-model.ts';
import {reactRuntime} from './react-runtime.ts';
import type {SpecDocument} from './row.ts';

export const documents: readonly SpecDocument[] = [
  agentSystem,
  autonomousLoop,
  reactRuntime,
  formInterview,
  interactionModel,
];
