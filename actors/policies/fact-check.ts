/** The actions that were done, from the facts of tools and the analysis of commands, and the claims of a result about them. */

import {
  deletionClaims,
  type Doer,
  runClaims,
  testClaims,
  writeClaims,
} from '../../machines/claims/claims.ts';
import {commandIn, type Evidence} from '../../machines/domain/evidence.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {isExitOf, runsTests} from '../../tools/commands/known.ts';
import {
  changes,
  type Effect,
  type EffectKind,
  type Understanding,
  type Unknown,
} from '../../tools/commands/understanding.ts';
import {insidePath} from './inside.ts';
import type {PolicyInput} from './rule.ts';

/** The claims of the result, and the reports of its tasks. */
export function claimsOf({claims, results = []}: Proposal['facts']): readonly string[] {
  return [...claims, ...results.flatMap(({isReport, text}) => (isReport ? [text] : []))];
}

type TestRun = 'passed' | 'failed' | 'undetermined' | 'none';

/** Claims that tests pass, although the last test run failed or none ran, and claims of a run, although nothing ran. */
export function untrueTests(input: PolicyInput): readonly string[] {
  const claims = claimsOf(input.proposal.facts);
  const run = lastTestRun(input);
  const isFalse = (run === 'none' && !isReported(input)) || run === 'failed';
  return [
    ...(isFalse ? claims.flatMap(testClaims) : []),
    ...(hasRun(input) ? [] : claims.flatMap(runClaims)),
  ];
}

/** An answer may quote test results from one of its sources. */
function isReported({proposal}: PolicyInput): boolean {
  const {sources = []} = proposal.facts;
  return sources.some((text) => /\bpass|succe|\bgreen\b|\bok\b|成功|通/i.test(text));
}

function hasRun(input: PolicyInput): boolean {
  return deedsIn(input).some(({entry}) => entry.did === 'ran' || entry.did === 'spawned');
}

/** Claims about a last test run whose exit code is not the exit code of the tests: they may be true. */
export function undeterminedTests(input: PolicyInput): readonly Unknown[] {
  if (input.proposal.kind !== 'result' || lastTestRun(input) !== 'undetermined') return [];
  const why = 'the exit code of the last test run was not the exit code of the tests';
  return claimsOf(input.proposal.facts)
    .flatMap(testClaims)
    .map((word) => ({word, why}));
}

function lastTestRun(input: PolicyInput): TestRun {
  const last = deedsIn(input).findLast(({command}) => command?.commands.some(runsTests));
  if (!last) return input.proposal.facts.evidence.some(mayRunTests) ? 'undetermined' : 'none';
  const {ok, exitCode = ok ? 0 : 1} = last.entry;
  const fate = ok && exitCode === 0 ? 'passed' : 'failed';
  return isDecisive(last, fate) ? fate : 'undetermined';
}

/** True for another interaction, and for a tool without a shell command: each may have run the tests. */
function mayRunTests(entry: Evidence): boolean {
  if (!entry.ok) return false;
  return entry.did === 'spawned' || (entry.did === 'ran' && commandIn(entry) === undefined);
}

function isDecisive({entry: {target}, command}: Deed, fate: 'passed' | 'failed'): boolean {
  const test = command?.commands.findLast((one) => runsTests(one) && target.includes(one.text));
  return isExitOf(test, target, fate);
}

/** Files that a claim says were written, although no action wrote them. */
export function untrueWrites(input: PolicyInput): readonly string[] {
  const {facts} = input.proposal;
  const by = doerOf(input);
  return claimsOf(facts)
    .flatMap((text) => writeClaims(text, by))
    .filter((name) => !hasWritten(input, name) && !mayBeWritten(input, name));
}

/** Files and folders that a claim says were deleted, although no action deleted them. */
export function untrueDeletions(input: PolicyInput): readonly string[] {
  const by = doerOf(input);
  return claimsOf(input.proposal.facts)
    .flatMap((text) => deletionClaims(text, by))
    .filter((name) => !hasDeleted(input, name) && !mayHaveDeleted(input, name));
}

/** A text about the project's history reports changes by others: `Fixed src/a.ts` may be the title of a commit. */
function doerOf(input: PolicyInput): Doer {
  const {evidence, sources} = input.proposal.facts;
  const hasReadHistory = evidence.some(
    ({did, target}) =>
      (did === 'read' && /\b(?:changelog|changes|history|news)\b/i.test(target)) ||
      (did === 'ran' && /\bgit\b[^|;&]*\b(?:log|show|blame|shortlog|whatchanged)\b/.test(target)),
  );
  if (hasReadHistory) return 'first person';
  return sources ? 'author' : 'anybody';
}

/** True if the file exists, git does not have this content, and code with unknown effects has run. */
function mayBeWritten(input: PolicyInput, name: string): boolean {
  const place = input.analysis.claimed[name];
  if (!place || place.state === 'absent' || place.state === 'clean') return false;
  return deedsIn(input).some(
    ({entry, command}) =>
      entry.ok &&
      command !== undefined &&
      (command.unknown.length > 0 || command.effects.some(({kind}) => kind === 'runs')),
  );
}

interface Deed {
  readonly entry: Evidence;
  /** The analysis of a command that ran. */
  readonly command: Understanding | undefined;
}

function deedsIn({proposal, analysis}: PolicyInput): readonly Deed[] {
  return proposal.facts.evidence.map((entry, at) => ({entry, command: analysis.done[at]}));
}

/** True if a successful action has read the file, searched a folder above it, or written it. */
export function hasRead(input: PolicyInput, path: string): boolean {
  const {workspace} = input.proposal.facts;
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok) return false;
    if (command) return command.effects.some((effect) => showsFile(effect, path));
    if (entry.did === 'ran' || entry.did === 'spawned') return false;
    const target = insidePath(entry.target, workspace);
    if (target === path) return true;
    return entry.did === 'read' && isBelow(path, target);
  });
}

function showsFile({kind, place, wide}: Effect, path: string): boolean {
  if (!place?.inside || (kind !== 'reads' && !changes.has(kind))) return false;
  return place.path === path || (kind === 'reads' && wide === true && isBelow(path, place.path));
}

/** False for the workspace itself: a search of the whole workspace does not count as reading a file. */
function isBelow(path: string, folder: string | undefined): boolean {
  return folder !== undefined && folder !== '' && path.startsWith(`${folder}/`);
}

/** True if a successful action has written the file that a text names by its path or the end of it. */
function hasWritten(input: PolicyInput, name: string): boolean {
  const {workspace} = input.proposal.facts;
  const claimed = insidePath(name, workspace) ?? name;
  const isIt = (path: string) => path === claimed || path.endsWith(`/${claimed}`);
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok) return false;
    if (entry.did === 'wrote') return isIt(insidePath(entry.target, workspace) ?? entry.target);
    return (command?.effects ?? []).some(
      ({kind, place, wide}) =>
        changes.has(kind) &&
        place !== undefined &&
        (isIt(place.path) || (wide === true && isBelow(claimed, place.path))),
    );
  });
}

const removals: ReadonlySet<EffectKind> = new Set(['deletes', 'moves']);

/** True if a successful action has deleted or moved the file that a text names. */
function hasDeleted(input: PolicyInput, name: string): boolean {
  const claimed = insidePath(name, input.proposal.facts.workspace) ?? name;
  return deedsIn(input).some(
    ({entry, command}) =>
      entry.ok &&
      (command?.effects ?? []).some(
        ({kind, place}) =>
          removals.has(kind) &&
          place !== undefined &&
          (place.path === claimed ||
            place.path.endsWith(`/${claimed}`) ||
            isBelow(claimed, place.path)),
      ),
  );
}

/** Kinds of effects that may delete files without naming them. */
const mayRemove: ReadonlySet<EffectKind> = new Set(['discards', 'runs', 'alters', 'installs']);

/** True if the file does not exist, and a successful action may have deleted it. */
function mayHaveDeleted(input: PolicyInput, name: string): boolean {
  const place = input.analysis.claimed[name];
  if (place && place.state !== 'absent') return false;
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok || entry.did === 'read') return false;
    if (entry.did === 'wrote') return entry.target.endsWith(name);
    if (!command) return true;
    return (
      command.unknown.length > 0 ||
      command.effects.some(({kind, wide}) => mayRemove.has(kind) || (removals.has(kind) && wide)) ||
      command.commands.some(
        ({args, text}) => /\b(?:rm|mv|find|git)\b/.test(text) && args.some(({pattern}) => pattern),
      )
    );
  });
}
