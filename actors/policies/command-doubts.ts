/** Reasons against an approval by rule: a command reaches beyond the workspace, may lose data for good, or may do more than read. */

import {textsAt} from '../../machines/domain/tool.ts';
import {isThisMachine, parseAddress} from '../../machines/places/address.ts';
import {protectedKind} from '../../machines/places/places.ts';
import {usualChecks} from '../../tools/commands/known.ts';
import {
  changes,
  type Effect,
  type EffectKind,
  knownToGit,
  type PlaceState,
  type Unknown,
} from '../../tools/commands/understanding.ts';
import type {Unkept} from '../../tools/run/snapshot/entry.ts';
import type {Call} from './call.ts';
import type {PolicyInput} from './rule.ts';

/** None for a result: its commands were judged before they ran. */
export function commandDoubts(input: PolicyInput): readonly Unknown[] {
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
