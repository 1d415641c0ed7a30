/** `[ask]`, `[discuss]`, `[debate]` and `[interview]`: who takes part in them, and how long they go on. */

import {z} from 'zod';

import {limit, maxSeats, modelName, modelOrNone, whole} from './kinds.ts';
import {changeable, renewing} from './row.ts';

export const askSection = z.strictObject({
  model: changeable('the model that answers questions')(modelName.default('claude-sonnet-4.5')),
  max_steps: limit('model calls for one question')([1, 1_000, 10]),
  max_retries: limit('repetitions of a tool that failed')([0, 100, 2]),
  /** Older messages are dropped. */
  max_history: limit('messages kept of a conversation')([8, 10_000, 50]),
});

export const discussSection = z.strictObject({
  participants: renewing(
    'sides',
    'the models that discuss; empty: those of agent.review_models',
  )(z.array(modelName).max(maxSeats).default([])),
  moderator: changeable('the model that draws the conclusion; empty: agent.decision_model')(
    modelOrNone.default(''),
  ),
  strategy: changeable(
    'quorum: all answer and rank each other; debate: one holds a position against the objections of another',
  )(z.enum(['quorum', 'debate']).default('quorum')),
  deadline_ms: limit('the time for one answer, one review, one conclusion, one turn of a debate')([
    1, 86_400_000, 300_000,
  ]),
});

export const debateSection = z.strictObject({
  models: renewing(
    'sides',
    'proponent and opponent; empty: the first two participants of a discussion',
  )(z.array(modelName).max(2).default([])),
  max_rounds: changeable('rounds of objections, until grave ones that are open go to a person')(
    whole(1, 100).default(3),
  ),
  intensity: changeable('how hard the opponent is to try')(
    z.enum(['mild', 'strong']).default('mild'),
  ),
});

export const interviewSection = z.strictObject({
  model: renewing(
    'leaders',
    'the model that leads interviews; empty: agent.decision_model',
  )(modelOrNone.default('')),
  reviewer: renewing(
    'leaders',
    'the model that judges whether an answer suffices, where rules can’t; empty: interview.model',
  )(modelOrNone.default('')),
  max_loops: limit(
    'model calls of one agent of an interview until it asks something; then a prepared question is asked',
  )([1, 100, 10]),
  max_follow_ups: limit(
    'questions about one field after the first; then it is left as it is, or skipped',
  )([0, 100, 3]),
});
