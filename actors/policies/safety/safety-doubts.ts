/** What policy/safety understands and can't judge all the same: harm or none depends on what nobody has looked at. */

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
import {isLinkAskedFor, isOutside} from '../outside.ts';
import {type Doubt, type Look} from '../rule.ts';
import {standings, unknownCode} from '../study/known-code.ts';
import {changesProtected, isNewPackage, isPush} from '../wishes.ts';
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
  ({study}) => study.found,
];

interface Known extends Written {
  readonly request: string;
}

function doubtfulChanges({proposal, study, calls}: Look): Unknown[] {
  if (proposal.kind === 'result') return [];
  const known = {request: proposal.facts.request, ...writtenIn(proposal, study)};
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
  if (isForLater(effect)) return `it ${verbs[effect.kind]} ${target}, which is not there`;
  if (isDisposable(effect, known)) return undefined;
  const why = doubtOn(effect, place, known);
  return why && `${why} ${target || 'the workspace'}, which ${standings[place.state]}`;
}

const verbs: Readonly<Partial<Record<Effect['kind'], string>>> = {
  deletes: 'deletes',
  moves: 'moves',
};

/** It names what is not there, so nothing can be said of what it would take away once it is. */
function isForLater({kind, place}: Effect): boolean {
  return (
    verbs[kind] !== undefined &&
    place?.state === 'absent' &&
    !place.isMade &&
    !isRegenerable(place.path)
  );
}

/** The words that come before the place. */
function doubtOn(effect: Effect, place: Place, known: Known): string | undefined {
  const {kind, wide} = effect;
  if (kind === 'deletes') {
    return isAskedFor(effect, known) ? undefined : 'nobody has asked to delete';
  }
  if (kind === 'moves') return wide || place.isFolder ? 'it moves all of' : undefined;
  if (kind === 'writes') return wide ? 'it may replace whatever lies in' : undefined;
  return isEdit(effect, place) && !isHarmlessEdit(effect, place, known) ? 'it changes' : undefined;
}

/** What they change of a file leaves what it says as it is. */
const formatters =
  /^(?:(?:npx|pnpm|yarn|bunx|python3? -m|uv run|poetry run|bundle exec)\s+(?:exec\s+|run\s+)?)?(?:\S*\/)?(?:prettier|eslint|biome|dprint|oxfmt|oxlint|stylelint|standard|xo|black|ruff|isort|autopep8|yapf|gofmt|goimports|go fmt|rustfmt|cargo (?:fmt|clippy|fix)|rubocop|standardrb|shfmt|clang-format|mix format|dart format|ktlint|swiftformat|terraform fmt|php-cs-fixer|markdownlint\S*)(?:\s|$)/;

function isEdit({kind}: Effect, {path}: Place): boolean {
  return kind === 'edits' || (kind === 'appends' && isCredentialPlace(path));
}

function isHarmlessEdit({wide, by}: Effect, {state, path}: Place, {touched}: Known): boolean {
  return state === 'clean' || touched.has(path) || (wide === true && formatters.test(by));
}

/** Where package managers put code, but for what tools keep there to be faster. */
const packages =
  /(?:^|\/)(?:node_modules\/(?!\.(?:cache|vite|vite-temp|vitest|tmp)(?:\/|$))|(?:\.venv|venv|site-packages)\/)/;
const vendored = /(?:^|\/)vendor\//;
const changesCode: ReadonlySet<EffectKind> = new Set(['writes', 'appends', 'edits', 'empties']);

/** Git ignores packages because they can be had again; until they are, tests and builds run what they hold. */
function changesOfPackages({proposal, calls}: Look): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls
    .flatMap(({effects}) => effects)
    .filter((effect) => changesCode.has(effect.kind) && isInPackages(effect))
    .map(({by, target}) => ({word: by, why: `it changes ${target}, where packages lie`}));
}

function isInPackages({place, wide}: Effect): boolean {
  if (!place?.inside) return false;
  const path = wide ? `${place.path}/` : place.path;
  const isIgnored = ignoredByGit.has(place.state) || place.isIgnored === true;
  return packages.test(path) || (isIgnored && vendored.test(path));
}

const removal = /\b(?:delet|remov|eras|discard|drop|clean|rm\b|get rid)|削除|消し|消す|除去/i;

/** A person named the file; one that git can't bring back they asked to be deleted. */
function isAskedFor({place, wide}: Effect, {request}: Known): boolean {
  if (!place || wide || !isNamedIn(request, place.path)) return false;
  return place.state === 'clean' || removal.test(request);
}

function doubtfulReach(look: Look): Unknown[] {
  const {proposal, calls} = look;
  if (proposal.kind === 'result') return [];
  return calls.flatMap((call) =>
    (call.command?.effects ?? []).flatMap((effect): Unknown[] => {
      const {kind, target, by} = effect;
      if (kind === 'sends' && controls.test(target)) {
        return [{word: by, why: 'what listens there controls more than this project'}];
      }
      return [];
    }),
  );
}

/** Ports of this machine at which engines of containers, clusters and stores of data take orders. */
const controls = /:(?:2375|2376|2379|4243|5984|6443|8001|8500|9200|10250)(?!\d)/;

/** What leaves the workspace is policy/scope's to refuse; whoever hears this policy alone is not told that it is harmless. */
function outsideThings({proposal, calls}: Look): Unknown[] {
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

/** Without a request nobody can tell what was asked for. */
function unaskedThings({proposal: {facts}, calls}: Look): Unknown[] {
  if (facts.request.trim() !== '') return [];
  const why = 'no request tells whether that is asked for';
  return calls
    .flatMap(({effects}) => effects)
    .filter((effect) => isNewPackage(effect) || isPush(effect) || changesProtected(effect))
    .map(({by}) => ({word: by, why}));
}

const reading =
  /^\s*(?:\(?\s*select|explain|show|describe|desc|values|with|pragma\s+\w+\s*;?\s*$)\b/i;
const writing = /\b(?:insert|update|delete|drop|alter|create|truncate|grant|into|attach)\b/i;

/** Of tools that run queries; those of commands are read by the table of programs. */
function doubtfulSql({proposal, calls}: Look): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls.flatMap(({facts, args}) => {
    const sql = codeOf(facts, args, 'sql');
    if (sql === undefined || (reading.test(sql) && !writing.test(sql))) return [];
    return [{word: sql, why: 'it is more than a query that only reads'}];
  });
}

/** A write changes the file under all its names, outside the workspace too: no sandbox prevents that. */
function sharedFiles({proposal, calls}: Look): Unknown[] {
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

/** The models that vote, or a person, decide with the names in front of them. */
function openedCredentials({proposal, calls}: Look): Unknown[] {
  if (proposal.kind === 'result') return [];
  return calls
    .flatMap(({facts, args}) => textsAt(args, facts.opens))
    .map((path) => ({word: path, why: 'the call opens it to its command', evenConfined: true}));
}
