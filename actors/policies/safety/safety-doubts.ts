/** Effects that policy/safety understands but can't judge: the harm depends on facts that are unknown. */

import {codeOf, textsAt} from '../../../machines/domain/tool-facts.ts';
import {isCredentialPlace} from '../../../machines/places/places.ts';
import {
  type Effect,
  type EffectKind,
  ignoredByGit,
  type Place,
  type Unknown,
} from '../../../tools/commands/effect.ts';
import {isRegenerable} from '../../../tools/commands/regenerable.ts';
import {changesProtected, isNewPackage, isPush} from '../allowances.ts';
import {stateTexts, unknownCode} from '../analysis/known-code.ts';
import {isLinkAskedFor, isOutside} from '../outside.ts';
import {type Doubt, type PolicyInput} from '../rule.ts';
import {doubtfulEgress} from './egress.ts';
import {isDisposable, isNamedIn, type Written, writtenIn} from './losses.ts';
import {lossesForGood} from './safety-losses.ts';

export const safetyDoubts: readonly Doubt[] = [
  doubtfulChanges,
  lossesForGood,
  changesOfPackages,
  doubtfulReach,
  unknownCode,
  doubtfulEgress,
  outsideThings,
  unaskedThings,
  doubtfulSql,
  openedCredentials,
  sharedFiles,
  ({analysis}) => analysis.found,
];

interface Known extends Written {
  readonly request: string;
}

function doubtfulChanges({proposal, analysis, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  const known = {request: proposal.facts.request, ...writtenIn(proposal, analysis)};
  return calls
    .flatMap(({command}) => command?.effects ?? [])
    .flatMap((effect) => {
      const why = changeDoubt(effect, known);
      return why === undefined ? [] : [{word: effect.by, why}];
    });
}

function changeDoubt(effect: Effect, known: Known): string | undefined {
  const {place, target} = effect;
  if (!place?.inside) return undefined;
  if (isForLater(effect)) return `it ${verbs[effect.kind]} ${target}, which does not exist`;
  if (isDisposable(effect, known)) return undefined;
  const why = doubtOn(effect, place, known);
  return why && `${why} ${target || 'the workspace'}, which ${stateTexts[place.state]}`;
}

const verbs: Readonly<Partial<Record<Effect['kind'], string>>> = {
  deletes: 'deletes',
  moves: 'moves',
};

/** True if the effect deletes or moves a path that does not exist yet: its later content cannot be judged. */
function isForLater({kind, place}: Effect): boolean {
  return (
    verbs[kind] !== undefined &&
    place?.state === 'absent' &&
    !place.isMade &&
    !isRegenerable(place.path)
  );
}

/** The words before the name of the place. */
function doubtOn(effect: Effect, place: Place, known: Known): string | undefined {
  const {kind, wide} = effect;
  if (kind === 'deletes') {
    return isAskedFor(effect, known) ? undefined : 'the request does not ask to delete';
  }
  if (kind === 'moves') return wide || place.isFolder ? 'it moves the whole of' : undefined;
  if (kind === 'writes') return wide ? 'it may replace any file in' : undefined;
  return isEdit(effect, place) && !isHarmlessEdit(effect, place, known) ? 'it changes' : undefined;
}

/** Formatters and linters: their changes keep the meaning of a file. */
const formatters =
  /^(?:(?:npx|pnpm|yarn|bunx|python3? -m|uv run|poetry run|bundle exec)\s+(?:exec\s+|run\s+)?)?(?:\S*\/)?(?:prettier|eslint|biome|dprint|oxfmt|oxlint|stylelint|standard|xo|black|ruff|isort|autopep8|yapf|gofmt|goimports|go fmt|rustfmt|cargo (?:fmt|clippy|fix)|rubocop|standardrb|shfmt|clang-format|mix format|dart format|ktlint|swiftformat|terraform fmt|php-cs-fixer|markdownlint\S*)(?:\s|$)/;

function isEdit({kind}: Effect, {path}: Place): boolean {
  return kind === 'edits' || (kind === 'appends' && isCredentialPlace(path));
}

function isHarmlessEdit({wide, by}: Effect, {state, path}: Place, {touched}: Known): boolean {
  return state === 'clean' || touched.has(path) || (wide === true && formatters.test(by));
}

/** Folders into which package managers put code, without the caches that tools keep there. */
const packages =
  /(?:^|\/)(?:node_modules\/(?!\.(?:cache|vite|vite-temp|vitest|tmp)(?:\/|$))|(?:\.venv|venv|site-packages)\/)/;
const vendored = /(?:^|\/)vendor\//;
const changesCode: ReadonlySet<EffectKind> = new Set(['writes', 'appends', 'edits', 'empties']);

/** Packages can be installed again, but until then tests and builds run the changed code. */
function changesOfPackages({proposal, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls
    .flatMap(({effects}) => effects)
    .filter((effect) => changesCode.has(effect.kind) && isInPackages(effect))
    .map(({by, target}) => ({
      word: by,
      why: `it changes ${target}, which contains installed packages`,
    }));
}

function isInPackages({place, wide}: Effect): boolean {
  if (!place?.inside) return false;
  const path = wide ? `${place.path}/` : place.path;
  const isIgnored = ignoredByGit.has(place.state) || place.isIgnored === true;
  return packages.test(path) || (isIgnored && vendored.test(path));
}

const removal = /\b(?:delet|remov|eras|discard|drop|clean|rm\b|get rid)|削除|消し|消す|除去/i;

/** True if the request names the file; if git can't restore the file, the request must also ask to delete something. */
function isAskedFor({place, wide}: Effect, {request}: Known): boolean {
  if (!place || wide || !isNamedIn(request, place.path)) return false;
  return place.state === 'clean' || removal.test(request);
}

function doubtfulReach(input: PolicyInput): Unknown[] {
  const {proposal, calls} = input;
  if (proposal.kind === 'result') return [];
  return calls.flatMap((call) =>
    (call.command?.effects ?? []).flatMap((effect): Unknown[] => {
      const {kind, target, by} = effect;
      if (kind === 'sends' && controls.test(target)) {
        return [{word: by, why: 'the service at this port controls more than this project'}];
      }
      return [];
    }),
  );
}

/** Control ports of container engines, clusters and data stores. */
const controls = /:(?:2375|2376|2379|4243|5984|6443|8001|8500|9200|10250)(?!\d)/;

/** Only policy/scope refuses effects outside the workspace. The doubt keeps this policy from approving them on its own. */
function outsideThings({proposal, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls
    .flatMap(({effects}) => effects)
    .filter(
      (effect) =>
        isOutside(effect, proposal.facts.workspace) &&
        !isLinkAskedFor(effect, proposal.facts.request),
    )
    .map(({by}) => ({word: by, why: 'it leaves the workspace'}));
}

/** Effects that need a request, if there is none. */
function unaskedThings({proposal: {facts}, calls}: PolicyInput): Unknown[] {
  if (facts.request.trim() !== '') return [];
  const why = 'no request asks for it';
  return calls
    .flatMap(({effects}) => effects)
    .filter((effect) => isNewPackage(effect) || isPush(effect) || changesProtected(effect))
    .map(({by}) => ({word: by, why}));
}

const reading =
  /^\s*(?:\(?\s*select|explain|show|describe|desc|values|with|pragma\s+\w+\s*;?\s*$)\b/i;
const writing = /\b(?:insert|update|delete|drop|alter|create|truncate|grant|into|attach)\b/i;

/** Queries of tools. The table of programs covers the queries of commands. */
function doubtfulSql({proposal, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls.flatMap(({facts, args}) => {
    const sql = codeOf(facts, args, 'sql');
    if (sql === undefined || (reading.test(sql) && !writing.test(sql))) return [];
    return [{word: sql, why: 'it is not a read-only query'}];
  });
}

/** A write changes a file under all its names, also outside the workspace. No sandbox prevents that. */
function sharedFiles({proposal, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls
    .flatMap(({command}) => command?.effects ?? [])
    .filter(({kind, place}) => place?.isShared === true && changesCode.has(kind))
    .map(({by, target}) => ({
      word: by,
      why: `${target} has other names (hard links)`,
      evenConfined: true,
    }));
}

/** Credential files that a call opens to its command: the voting models or a person decide, and see the names. */
function openedCredentials({proposal, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls
    .flatMap(({facts, args}) => textsAt(args, facts.opens))
    .map((path) => ({
      word: path,
      why: 'the call lets its command read this file',
      evenConfined: true,
    }));
}
