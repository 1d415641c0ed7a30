/** Rules, which refuse; doubts, which prevent a judgement; and the ballot that results from them. */

import {containedReason, type Proposal} from '../../machines/domain/review.ts';
import {textsAt} from '../../machines/domain/tool-facts.ts';
import {isThisMachine, parseAddress} from '../../machines/places/address.ts';
import {protectedKind} from '../../machines/places/places.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import {usualChecks} from '../../tools/commands/known.ts';
import {
  changes,
  type Effect,
  type EffectKind,
  knownToGit,
  type PlaceState,
  type SimpleCommand,
  type Unknown,
} from '../../tools/commands/understanding.ts';
import {sha256} from '../../tools/read/read.ts';
import type {Unkept} from '../../tools/run/snapshot/entry.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import {type Call, readCalls} from './call.ts';

export interface PolicyInput {
  readonly proposal: Proposal;
  readonly analysis: CommandAnalysis;
  readonly calls: readonly Call[];
}

export interface Rule {
  readonly id: string;
  /** The refused actions, for the documentation. */
  readonly refuses: string;
  /** An alternative, for the author of the proposal. */
  readonly safer: string;
  /** The offending values. Empty: the rule does not apply. */
  readonly find: (input: PolicyInput) => readonly string[];
}

/** A policy that decides by rule. */
export interface Policy {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Reasons why the policy can't judge a proposal that no rule refuses, besides those of commands. */
  readonly doubts: (input: PolicyInput) => readonly Unknown[];
}

/** A rule about effects, independent of the words of a command. */
export function effectRule(
  rule: Omit<Rule, 'find'> & {
    readonly when: (effect: Effect, call: Call, input: PolicyInput) => boolean;
  },
): Rule {
  const {when, ...rest} = rule;
  const find = (input: PolicyInput) =>
    input.calls.flatMap((call) =>
      call.effects.filter((effect) => when(effect, call, input)).map(effectText),
    );
  return {...rest, find};
}

/** A rule about the words of single commands, at any position in the shell text. */
export function commandRule(
  rule: Omit<Rule, 'find'> & {readonly when: (command: SimpleCommand, call: Call) => boolean},
): Rule {
  const {when, ...rest} = rule;
  const find = ({calls}: PolicyInput) =>
    calls.flatMap((call) =>
      (call.command?.commands ?? []).filter((one) => when(one, call)).map(({text}) => text),
    );
  return {...rest, find};
}

/** A rule about single calls: the offending value, or undefined. */
export function callRule(
  rule: Omit<Rule, 'find'> & {
    readonly of: (call: Call, input: PolicyInput) => string | undefined;
  },
): Rule {
  const {of, ...rest} = rule;
  const find = (input: PolicyInput) =>
    input.calls.map((call) => of(call, input)).filter((value) => value !== undefined);
  return {...rest, find};
}

/** The text of the command, with its effect if the text does not show it. */
export function effectText({by, kind, target, place}: Effect): string {
  return !place || target === '' || by.includes(target) ? by : `${by} (${kind} ${target})`;
}

/**
 * True if a write replaces the content of an existing file: judged by `basedOn`, or by the diff of the preview if the tool
 * reports none. False for a result, whose writes were voted on before they ran. The `basedOn` of a command is of its scripts.
 */
export function replacesFile({calls, proposal: {kind, text, facts}}: PolicyInput): boolean {
  const basedOn = calls.some(({code}) => code !== undefined) ? undefined : facts.basedOn;
  if (kind === 'result') return false;
  if (basedOn === undefined) return /^@@ -(?!0,0 )\d/m.test(text);
  return (
    basedOn !== 'absent' && !calls.some(({puts}) => puts.some((put) => sha256(put) === basedOn))
  );
}

/** The most reasons that a ballot may have. */
const maxReasons = 20;

/**
 * Rejects with a reason for every offending value. Otherwise the lines of the verdict, in this order: a call that only reads is
 * approved; one that reaches the network, paths outside, or data that undo can't restore abstains; one that is confined and can be
 * undone is approved; so is a usual check that reaches no unknown code; anything else abstains.
 */
export function vote(
  {name, rules, doubts}: Policy,
  proposal: Proposal,
  analysis: CommandAnalysis,
): Ballot {
  const input = {proposal, analysis, calls: readCalls(proposal, analysis)};
  const findings = rules.flatMap((rule) =>
    [...new Set(rule.find(input))].map((value) => ({rule, value})),
  );
  const [first] = findings;
  if (!first) return unrefused([...doubts(input), ...commandDoubts(input)], input);
  const reasons = findings.map(
    ({rule, value}) => `${name}/${rule.id}: ${shown(value)}; safer: ${rule.safer}`,
  );
  return {
    verdict: 'reject',
    reasons: reasons.slice(0, maxReasons),
    confidence: 1,
    suggestedChange: first.rule.safer,
    rules: [...new Set(findings.map(({rule}) => rule.id))],
  };
}

function unrefused(unknown: readonly Unknown[], {proposal, analysis}: PolicyInput): Ballot {
  if (unknown.length === 0) {
    const reason = `no rule refuses this ${proposal.kind}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.9};
  }
  const texts = [...new Set(unknown.map(({word, why}) => `${shown(word)}: ${why}`))];
  const isContained =
    analysis.isConfined && analysis.isRestorable && !unknown.some(({evenConfined}) => evenConfined);
  if (isContained) {
    const reason = `${containedReason}: ${texts.slice(0, maxReasons).join('; ')}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.7};
  }
  const words = [...new Set(unknown.map(({word}) => word.slice(0, maxShown)))];
  return {
    verdict: 'abstain',
    reasons: texts.map((text) => `can't judge ${text}`).slice(0, maxReasons),
    confidence: 0,
    unknown: words.slice(0, maxReasons),
  };
}

const maxShown = 160;

/** A value in quotes, cut to `maxShown` characters. Characters that could mislead a reader are escaped. */
export function shown(value: string): string {
  const cut = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value;
  return JSON.stringify(cut.toWellFormed()).replaceAll(
    /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

// Reasons against an approval by rule: a command reaches beyond the workspace, may lose data for good, or may do more than read.

/** None for a result: its commands were judged before they ran. */
function commandDoubts(input: PolicyInput): readonly Unknown[] {
  if (input.proposal.kind === 'result') return [];
  return input.calls.flatMap((call) => {
    if (call.code === undefined) return silent(call);
    const found = [reaching(call, input), losses(call, input), unread(call), opened(call)];
    return [...silent(call), ...found.flat()];
  });
}

/** A tool that does not declare what it reaches: its arguments prove nothing, confined or not. */
function silent({tool, isStated}: Call): Unknown[] {
  const why = 'the tool does not declare what it reaches';
  return isStated ? [] : [{word: tool, why, evenConfined: true}];
}

const reachingKinds: ReadonlySet<EffectKind> = new Set([
  'fetches',
  'sends',
  'installs',
  'publishes',
  'alters',
]);

/** The network, and paths outside: no rule approves them, confined or not. */
function reaching({command}: Call, {analysis, proposal: {facts}}: PolicyInput): Unknown[] {
  return (command?.effects ?? [])
    .filter((effect) => reachesOut(effect, analysis.isConfined, facts.workspace))
    .map(({kind, target, by}) => {
      const to = target === 'declared' ? 'the network' : target;
      const why = reachingKinds.has(kind)
        ? `it reaches ${to}`
        : `it leaves the workspace: ${target}`;
      return {word: by, why, evenConfined: true};
    });
}

/** It reaches another computer, something outside the workspace, or a path there. In a sandbox, `/tmp` is the command's own. */
export function reachesOut(effect: Effect, isConfined: boolean, workspace: string): boolean {
  if (reachingKinds.has(effect.kind)) return !isLocal(effect.target);
  return isOutside(effect) && !(isConfined && isTemporary(effect, workspace));
}

/** True for this machine, with or without a scheme and a port. */
export function isLocal(target: string): boolean {
  const address = parseAddress(target);
  return address !== undefined && isThisMachine(address);
}

/** Facts about the machine, programs, and devices that store nothing: a sandbox shows them as well. */
const publicPlaces =
  /^\/(?:proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|self\/status)|etc\/(?:os-release|lsb-release|debian_version|alpine-release|timezone|localtime|mime\.types|shells)|(?:usr|bin|lib|opt|sys\/devices\/system\/cpu|sys\/fs\/cgroup)(?:\/.*)?|dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|fd\/\d+))$/;

export function isOutside({place, kind}: Effect): boolean {
  if (!place || place.inside) return false;
  const isDevice = place.path.startsWith('/dev/') && publicPlaces.test(place.path);
  return changes.has(kind) ? !isDevice : !publicPlaces.test(place.path);
}

/** In `/tmp`, and not beside the workspace: a command that names a neighbour of it means that one. */
export function isTemporary({place}: Effect, workspace: string): boolean {
  const path = place?.path ?? '';
  const parent = workspace.slice(0, workspace.lastIndexOf('/'));
  const isNeighbour = parent !== '' && `${path}/`.startsWith(`${parent}/`);
  return /^\/tmp(?:\/|$)/.test(path) && !isNeighbour;
}

/** Kinds of effects that lose content. */
const losing: ReadonlySet<EffectKind> = new Set(['deletes', 'writes', 'empties', 'edits', 'moves']);

/** Nothing exists, git has the content, it can be rebuilt, or this run changed it. */
const replaceable: ReadonlySet<PlaceState> = new Set(['absent', 'clean', 'ignored', 'written']);

/** Losses that undo can't restore, and changes of a file with other names, which may lie anywhere. */
function losses({command}: Call, {analysis: {unkept}}: PolicyInput): Unknown[] {
  return (command?.effects ?? []).flatMap(({kind, place, target, by}): Unknown[] => {
    if (!place?.inside || !changes.has(kind)) return [];
    const what = `it ${verbOf(kind)} ${target || 'the workspace'}`;
    const isLoss = losing.has(kind) && !replaceable.has(place.state);
    const lost = isLoss ? unkept.find((one) => isTouched(one, place.path)) : undefined;
    const why = lost
      ? `${what}; undo can't bring back ${lost.path}, which ${lost.why}`
      : `${what}, which has other names (hard links)`;
    return lost || place.isShared ? [{word: by, why, evenConfined: true}] : [];
  });
}

function isTouched({path}: Unkept, other: string): boolean {
  return isWithin(path, other) || isWithin(other, path);
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Parts that are not known to only read. A usual check is exempt if it reaches no unknown code. */
function unread({code = '', command}: Call): readonly Unknown[] {
  if (!command) return [{word: code, why: 'its effects were not analysed'}];
  const {effects, unknown} = command;
  const runs = effects.filter(
    ({kind, place}) => kind === 'runs' && place && !knownToGit.has(place.state),
  );
  const [first] = runs;
  const isUsual = usualChecks.has(code.trim()) && !first && !unknown.some(({isCode}) => isCode);
  if (isUsual) return [];
  const writes = effects.filter(
    ({kind, target}) =>
      !/^(?:reads|lists|runs)$/.test(kind) && !(reachingKinds.has(kind) && !isLocal(target)),
  );
  return [
    ...unknown,
    ...(first ? [{word: first.by, why: `it may run ${named(runs)}`}] : []),
    ...writes.map(({kind, target, by}) => ({
      word: by,
      why: `it ${verbOf(kind)} ${target || 'the workspace'}`,
    })),
  ];
}

function verbOf(kind: EffectKind): string {
  return verbs[kind] ?? kind;
}

const verbs: Readonly<Partial<Record<EffectKind, string>>> = {
  records: 'changes',
  discards: 'may discard work in',
  reveals: 'shows',
  alters: 'changes',
};

const maxNamed = 3;

function named(runs: readonly Effect[]): string {
  const names = [...new Set(runs.map(({target}) => target))];
  const more = names.length - maxNamed;
  const rest = more > 0 ? `, and ${more} more` : '';
  return `${names.slice(0, maxNamed).join(', ')}${rest}, which git does not know or this run has changed`;
}

/** Credential files that a call opens to its command: the voting models or a person decide, and see the names. */
function opened({facts, args}: Call): readonly Unknown[] {
  return textsAt(args, facts.opens).map((path) => ({
    word: path,
    why: 'the call lets its command read this file',
    evenConfined: true,
  }));
}

export function isPush({kind, by}: Effect): boolean {
  return kind === 'publishes' && /^git (?:\S+ )*push\b/.test(by);
}

/** Packages that are installed by name, not from a manifest. */
export function isNewPackage({kind, target}: Effect): boolean {
  return kind === 'installs' && target !== 'declared';
}

/** A change of hooks, CI, editor and rc files, and other protected places. */
export function changesProtected({kind, place}: Effect): boolean {
  return changes.has(kind) && place?.inside === true && protectedKind(place.path) !== undefined;
}
