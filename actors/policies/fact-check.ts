/** Claims of a result against what was done. */

import type {Proposal} from '../../machines/domain/review.ts';
import type {Unknown} from '../../tools/commands/effect.ts';
import type {SimpleCommand} from '../../tools/commands/understanding.ts';
import {testClaims, writeClaims} from './claims.ts';
import {type Deed, deedsIn, hasWritten} from './done.ts';
import type {Look} from './rule.ts';

/** What the result says of itself, and what those who worked say that they did. */
export function claimsOf({claims, results = []}: Proposal['facts']): readonly string[] {
  return [...claims, ...results.flatMap(({isReport, text}) => (isReport ? [text] : []))];
}

type TestRun = 'passed' | 'failed' | 'untold' | 'none';

/** Claims that tests pass, where the last run of a test command says nothing of the kind. */
export function untrueTests(look: Look): readonly string[] {
  const run = lastTestRun(look);
  if (run === 'passed' || run === 'untold') return [];
  return claimsOf(look.proposal.facts).flatMap(testClaims);
}

/** The exit code of the last test run is not that of the tests: what is claimed of it may be so. */
export function untoldTests(look: Look): readonly Unknown[] {
  if (look.proposal.kind !== 'result' || lastTestRun(look) !== 'untold') return [];
  const why = 'the exit code of the last test run was not that of the tests';
  return claimsOf(look.proposal.facts)
    .flatMap(testClaims)
    .map((word) => ({word, why}));
}

function lastTestRun(look: Look): TestRun {
  const last = deedsIn(look).findLast(({command}) => command?.commands.some(runsTests));
  if (!last) return 'none';
  const {ok, exitCode = ok ? 0 : 1} = last.entry;
  const fate = ok && exitCode === 0 ? 'passed' : 'failed';
  return isTold(last, fate) ? fate : 'untold';
}

function runsTests({isTest, args}: SimpleCommand): boolean {
  return isTest && !args.some(({text}) => /^(?:-h|--help|--version|--list(?:Tests)?)$/.test(text));
}

/**
 * The exit code is that of the tests: nothing decides on it after them (`npm test | tail`, `npm test; date`, `npm test || true`)
 * or whether they run at all.
 */
function isTold({entry, command}: Deed, fate: 'passed' | 'failed'): boolean {
  const {target} = entry;
  const test = command?.commands.findLast((one) => runsTests(one) && target.includes(one.text));
  if (test?.background) return false;
  const at = test ? target.lastIndexOf(test.text) : 0;
  const before = withoutDescriptors(target.slice(0, at));
  const after = withoutDescriptors(target.slice(at + (test?.text.length ?? 0))).trim();
  if (before.includes('||') || /[|;\n]|(?<!&)&(?!&)/.test(after)) return false;
  return fate === 'passed' || !after.includes('&&');
}

/** Without `2>&1` and `&>`, whose signs divide nothing. */
function withoutDescriptors(text: string): string {
  return text.replaceAll(/\d?[<>]&\d?|&>>?/g, '');
}

/** Files that are said to be written, and that nothing wrote. */
export function untrueWrites(look: Look): readonly string[] {
  const {facts} = look.proposal;
  return claimsOf(facts)
    .flatMap(writeClaims)
    .filter((name) => !hasWritten(look, name) && !mayBeWritten(look, name));
}

/** It is there, as git does not have it, and code has run of which nobody knows what it writes. */
function mayBeWritten(look: Look, name: string): boolean {
  const place = look.study.claimed[name];
  if (!place || place.state === 'absent' || place.state === 'clean') return false;
  return deedsIn(look).some(
    ({entry, command}) =>
      entry.ok &&
      command !== undefined &&
      (command.unknown.length > 0 || command.effects.some(({kind}) => kind === 'runs')),
  );
}
