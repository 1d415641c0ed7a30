/** `[quorum]`: the rule of a panel, its time limits, and the weights and vetoes of its seats. */

import {z} from 'zod';

import {ruleHelp, ruleSpellings, tryParseRule} from '../../../machines/panel/rule.ts';
import {builtInPolicies} from '../../policies/names.ts';
import {maxSeats, modelName, whole} from './kinds.ts';
import {changeable, renewing} from './row.ts';
import {stricterRule, superset} from './stricter.ts';

export const quorumSection = z.strictObject({
  rule: changeable(
    `when the panel has decided: ${ruleSpellings}`,
    stricterRule,
  )(
    z
      .string()
      .refine((rule) => tryParseRule(rule) !== undefined, `is not a quorum rule; write ${ruleHelp}`)
      .default('majority'),
  ),
  min_participation: changeable('the minimum number of votes for a decision')(
    whole(1, maxSeats).default(1),
  ),
  deadline_ms: changeable('the time limit of a reviewer')(whole(1, 86_400_000).default(120_000)),
  feedback_grace_ms: changeable('after a rejection, the time to wait for more reasons')(
    whole(0, 3_600_000).default(5_000),
  ),
  weights: renewing(
    'panel',
    'the weight of a vote from this seat; 1 unless it is set',
  )(z.record(modelName, z.number().positive().max(1_000)).default({})),
  veto: renewing(
    'panel',
    'seats whose approval is required; policy/* means every policy reviewer',
    superset,
  )(z.array(modelName).max(maxSeats).default(['policy/*'])),
  screen: changeable(
    'policy reviewers that check each proposal before any model is asked; a refusal is a veto',
    superset,
  )(
    z
      .array(modelName)
      .max(maxSeats)
      .default(builtInPolicies.map((name) => `policy/${name}`)),
  ),
});
