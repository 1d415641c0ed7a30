/** Code that git does not know: no rule can judge a command that runs it. */

import type {ProposalFacts} from '../../../machines/domain/review.ts';
import {
  type Effect,
  type EffectKind,
  knownToGit,
  type Place,
  type PlaceState,
  type Unknown,
} from '../../../tools/commands/effect.ts';
import {isByKnownScript} from '../../../tools/commands/follow/known-scripts.ts';
import type {Understanding} from '../../../tools/commands/understanding.ts';
import {insidePath} from '../inside.ts';
import type {PolicyInput} from '../rule.ts';
import {deedsIn, mayHaveWritten} from '../run-evidence.ts';

/** States of a place, in words that follow its name and "which". */
export const stateTexts: Readonly<Record<PlaceState, string>> = {
  absent: 'does not exist',
  clean: 'git can restore',
  changed: 'has changes that are not in git',
  untracked: 'git does not know',
  ignored: 'git ignores',
  data: 'git ignores, and no tool can rebuild',
  written: 'this run has changed',
  unknown: 'was not examined',
};

const brings: ReadonlySet<EffectKind> = new Set(['writes', 'appends', 'edits', 'creates']);

/** Files that calls of the run wrote, successfully or not, and files that its commands write according to the analysis. */
export function touchedBy(
  {evidence, workspace}: ProposalFacts,
  done: readonly (Understanding | undefined)[],
): readonly string[] {
  const written = evidence
    .filter(({did}) => did === 'wrote')
    .map(({target}) => insidePath(target, workspace) ?? target);
  const touched = new Set(written);
  const brought = done.flatMap((command) =>
    (command?.effects ?? [])
      .filter(({kind, place, wide}) => brings.has(kind) && place?.inside && !wide)
      .filter((effect) => !isByKnownScript(effect, command?.followed ?? [], touched))
      .map(({place}) => place?.path ?? ''),
  );
  return [...written, ...brought];
}

/** Doubts commands that run code which git does not know, or which this run may have changed. */
export function unknownCode(input: PolicyInput): Unknown[] {
  const {proposal, calls} = input;
  if (proposal.kind === 'result') return [];
  const runs = calls
    .flatMap(({command}) => command?.effects ?? [])
    .filter(({kind}) => kind === 'runs');
  const strange = runs.filter(({place}) => place && place.path !== '' && !isKnown(place, input));
  const bylines = [...new Set(strange.map(({by}) => by))];
  return [
    ...bylines.map((by) => doubtOn(strange.filter((effect) => effect.by === by))),
    ...afterBlind(runs, input),
  ];
}

function isKnown({state, path}: Place, input: PolicyInput): boolean {
  if (state === 'untracked') return input.analysis.isUnversioned && !mayHaveWritten(input, path);
  return knownToGit.has(state);
}

const maxNamed = 3;

function doubtOn(effects: readonly Effect[]): Unknown {
  const names = effects
    .slice(0, maxNamed)
    .map(({target, place}) => `${target}, which ${stateTexts[place?.state ?? 'unknown']}`);
  const more = effects.length - names.length;
  const rest = more > 0 ? `; and ${more} more such ${more === 1 ? 'file' : 'files'}` : '';
  return {word: effects[0]?.by ?? '', why: `it runs ${names.join('; ')}${rest}`};
}

/** A doubt if a command with unknown changes has run: it may have changed any code. */
function afterBlind(runs: readonly Effect[], input: PolicyInput): Unknown[] {
  if (input.analysis.isRestorable) return [];
  const blind = deedsIn(input).find(
    ({entry, command}) =>
      entry.did === 'ran' &&
      (!command ||
        command.unknown.length > 0 ||
        command.effects.some(({kind, wide}) => wide === true && brings.has(kind))),
  );
  if (!blind) return [];
  const [first] = runs;
  const why = `it runs code that ${blind.entry.target.slice(0, 80)} may have changed`;
  return first ? [{word: first.by, why}] : [];
}
