/** Model calls to explore: every reply and every fault, a wait that is too long, a reply that was cut off, a crash of the performer. */

import type {ModelRequest} from '../../../machines/domain/model.ts';
import {modelCallMachine} from '../../../machines/model-call.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {modelCallLaws} from '../laws-models.ts';
import {failing, saying} from './outcomes.ts';

const request: ModelRequest = {
  purpose: 'plan',
  model: 'test/decider',
  system: '',
  transcript: openTranscript('plan it'),
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};

const outcomes = [
  saying('hello'),
  failing('rateLimited'),
  {...failing('overloaded'), retryAfterMs: 60_000},
  {...failing('overloaded'), retryAfterMs: 60_001},
  {...failing('overloaded'), retryMs: 2_000},
  {...failing('overloaded'), retryMs: 2_000, retryAfterMs: 2_001},
  failing('auth'),
  failing('truncated'),
  {...failing('truncated'), nextOutputTokens: 200},
  crash,
];

export const modelCalls: readonly LawfulScenario[] = [
  {
    name: 'that may fail in every way',
    scenario: {machine: modelCallMachine, input: request, outcomes: () => outcomes},
    law: modelCallLaws,
  },
];
