/** Recorded diffs, each with the verdict of the policy reviewers, which begins its name. */

import {expect, test} from 'vitest';

import {emptyAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {diffRules, policies} from '../../../actors/policies/index.ts';
import {readPatch} from '../../../tools/text/patch.ts';
import {recordedDiff, recordedDiffs} from '../../fixtures/recorded-diffs.ts';
import {proposalOf} from './proposal.ts';

/** The rules that refuse each diff. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'no-secret': ['committed-secret'],
  'no-private-key': ['committed-secret', 'credential-file'],
  'no-env-file': ['credential-file'],
  'no-merge-marks': ['merge-marker'],
  'no-focused-test': ['focused-test'],
  'no-disabled-test': ['disabled-test'],
  'no-debugger': ['debugger'],
  'no-breakpoint': ['debugger'],
  'no-run-download': ['dangerous-command'],
  'no-delete-root': ['dangerous-command'],
  'no-binary': ['binary-file'],
  'no-binary-patch': ['binary-file'],
  'no-lock-host': ['lock-file'],
  'no-install-script': ['install-script'],
  'no-workflow': ['protected-file'],
  'no-hook': ['protected-file'],
  'no-bidi': ['hidden-text'],
  'no-decoded-code': ['run-of-decoded-code'],
  'no-asks-for-vote': ['asks-for-vote'],
  'no-link-outside': ['link-outside'],
  'no-outside': ['outside-repository'],
  'no-executable-text': ['made-executable'],
};

const names = Object.keys(recordedDiffs);

async function refusals(name: string): Promise<readonly string[]> {
  const diff = await readPatch(recordedDiff(name));
  const proposal = proposalOf({request: 'Review this change.', diff}, {kind: 'diff'});
  const ballots = Object.values(policies).map((policy) => policy(proposal, emptyAnalysis));
  return ballots.flatMap(({verdict, rules = []}) => (verdict === 'reject' ? rules : []));
}

test.each(names.filter((name) => name.startsWith('ok-')))('%s passes', async (name) => {
  expect(await refusals(name)).toEqual([]);
});

test.each(names.filter((name) => name.startsWith('no-')))('%s is refused', async (name) => {
  expect(await refusals(name)).toEqual(expected[name]);
});

test('every rule that refuses does so in one of them', () => {
  const refusing = diffRules.filter(({severity}) => severity !== 'minor').map(({id}) => id);
  expect([...new Set(Object.values(expected).flat())].toSorted()).toEqual(refusing.toSorted());
});
