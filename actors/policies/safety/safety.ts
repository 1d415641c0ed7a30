/** policy/safety: refuses destructive and leaking actions. */

import type {Proposal} from '../../../machines/domain/review.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import type {CommandAnalysis} from '../analysis/analysis.ts';
import {voteOnDiff} from '../diff/diff-rule.ts';
import {safetyDiffRules} from '../diff/diff-safety.ts';
import {type Rule, vote} from '../rule.ts';
import {codeRules} from './safety-code.ts';
import {controlRules} from './safety-control.ts';
import {destructionRules} from './safety-destruction.ts';
import {safetyDoubts} from './safety-doubts.ts';
import {leakRules} from './safety-leaks.ts';

export const safetyRules: readonly Rule[] = [
  ...destructionRules,
  ...leakRules,
  ...codeRules,
  ...controlRules,
];

export function safety(proposal: Proposal, analysis: CommandAnalysis): Ballot {
  return proposal.kind === 'diff'
    ? voteOnDiff('safety', safetyDiffRules, proposal)
    : vote({name: 'safety', rules: safetyRules, doubts: safetyDoubts}, proposal, analysis);
}
