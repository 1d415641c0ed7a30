/** `[ask]`, `[discuss]`, `[debate]` and `[interview]`: their models and limits. */

import {z} from 'zod';

import {limit, maxSeats, modelName, modelOrNone, whole} from './kinds.ts';
import {changeable, renewing} from './row.ts';

export const askSection = z.strictObject({
  model: changeable('the model that answers questions')(modelName.default('claude-sonnet-4.5')),
  max_steps: limit('model calls for one question')([1, 1_000, 10]),
  max_retries: limit('retries of a failed tool')([0, 100, 2]),
  /** Older messages are dropped. */
  max_history: limit('messages of a conversation that are kept')([8, 10_000, 50]),
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
    'quorum: all answer and rank each other; debate: one defends a position against the objections of another',
  )(z.enum(['quorum', 'debate']).default('quorum')),
  deadline_ms: limit(
    'the time limit of one answer, one review, one conclusion, one turn of a debate',
  )([1, 86_400_000, 300_000]),
});

export const debateSection = z.strictObject({
  models: renewing(
    'sides',
    'proponent and opponent; empty: the first two participants of a discussion',
  )(z.array(modelName).max(2).default([])),
  max_rounds: changeable('rounds of objections before open grave objections go to a person')(
    whole(1, 100).default(3),
  ),
  intensity: changeable('how hard the opponent argues')(z.enum(['mild', 'strong']).default('mild')),
});

export const interviewSection = z.strictObject({
  model: renewing(
    'leaders',
    'the model that leads interviews; empty: agent.decision_model',
  )(modelOrNone.default('')),
  reviewer: renewing(
    'leaders',
    'the model that judges whether an answer suffices, if rules cannot; empty: interview.model',
  )(modelOrNone.default('')),
  max_loops: limit(
    'model calls of one agent of an interview before it must ask; then a prepared question is asked',
  )([1, 100, 10]),
  max_follow_ups: limit(
    'questions about one field after the first; then the field is left as it is, or skipped',
  )([0, 100, 3]),
});
