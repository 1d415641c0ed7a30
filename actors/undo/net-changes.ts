/**
 * Net changes: the difference between the text of a file before a run, or one of its interactions, first changed it and its text
 * now. The numbers of single changes do not add up to it: a later change may touch the lines of an earlier one, or others.
 */

import type {Change, NetChange} from '../../machines/domain/patch.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import type {Replacement} from '../../tools/tool.ts';

/** Longer texts are not compared, and no more is kept in all, in bytes. */
const maxTextBytes = 1024 * 1024;
const maxKeptBytes = 64 * 1024 * 1024;

/** The text before the first change; `absent`: there was no file; `unknown`: it is not text, or was not kept. */
type First = {readonly text: string} | 'absent' | 'unknown';

interface Begun {
  readonly first: First;
  /** The effect that made the first change. */
  readonly effect: string;
}

export interface NetChanges {
  /** Call it for each change before it is made, in order. */
  readonly begin: (effect: string, replacements: readonly Replaced[]) => void;
  /** The outcome of the effect, with the net change of each file that was changed before. */
  readonly complete: (
    effect: string,
    workspace: string,
    outcome: ToolOutcome,
  ) => Promise<ToolOutcome>;
}

type Replaced = Pick<Replacement, 'path'> & {
  readonly before?: {readonly mode: number; readonly content: Uint8Array | string} | undefined;
};

export function createNetChanges(run: string): NetChanges {
  /** By interaction, then by path. */
  const begun = new Map<string, Map<string, Begun>>();
  let keptBytes = 0;
  const firstOf = ({before}: Replaced): First => {
    if (!before) return 'absent';
    const {content, mode} = before;
    const isFile = (mode & 0o170000) === 0 || (mode & 0o170000) === 0o100000;
    if (!isFile || typeof content === 'string' || content.length > maxTextBytes) return 'unknown';
    if (content.includes(0) || keptBytes + content.length > maxKeptBytes) return 'unknown';
    keptBytes += content.length;
    return {text: Buffer.from(content).toString('utf8')};
  };
  const begin: NetChanges['begin'] = (effect, replacements) => {
    const scopes = scopesOf(effect, run).map((scope) => placesIn(begun, scope));
    for (const replaced of replacements) {
      const open = scopes.filter((places) => !places.has(replaced.path));
      const first = open.length > 0 ? firstOf(replaced) : 'unknown';
      for (const places of open) places.set(replaced.path, {first, effect});
    }
  };
  const netOf = async (effect: string, workspace: string, path: string): Promise<Change['net']> => {
    const firsts = scopesOf(effect, run).map((scope) => begun.get(scope)?.get(path));
    if (firsts.every((each) => each === undefined || each.effect === effect)) return undefined;
    const now = await textNow(workspace, path);
    const nets = await Promise.all(
      firsts.map(async (each) => await between(path, each?.first, now)),
    );
    const known = nets.flatMap((net) => net ?? []);
    if (known.length < nets.length) return undefined;
    return known.map((net, depth) =>
      depth === 0 ? net : {added: net.added, removed: net.removed},
    );
  };
  return {
    begin,
    complete: async (effect, workspace, outcome) => {
      if (!('changes' in outcome) || !outcome.changes) return outcome;
      const changes = await Promise.all(
        outcome.changes.map(async (change) => {
          const net = await netOf(effect, workspace, change.path);
          return net ? {...change, net} : change;
        }),
      );
      return {...outcome, changes};
    },
  };
}

/** The interactions that contain an effect, the root first: their ids are paths. */
function scopesOf(effect: string, run: string): readonly string[] {
  const parts = interactionIn(effect, run).split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

function placesIn<Value>(all: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = all.get(key);
  if (known) return known;
  const made = new Map<string, Value>();
  all.set(key, made);
  return made;
}

async function textNow(workspace: string, path: string): Promise<First> {
  const {readInside} = await import('../../tools/read/read.ts');
  const file = readInside(workspace, path, {maxBytes: maxTextBytes});
  if (!file.ok) return file.denial.code === 'not_found' ? 'absent' : 'unknown';
  const {bytes} = file.value;
  return bytes.includes(0) ? 'unknown' : {text: bytes.toString('utf8')};
}

/** Undefined when one of the texts is unknown. */
async function between(
  path: string,
  first: First | undefined,
  now: First,
): Promise<NetChange | undefined> {
  if (first === undefined || first === 'unknown' || now === 'unknown') return undefined;
  const {changesOfTexts} = await import('../../tools/write/change.ts');
  const [change] = await changesOfTexts(path, textIn(first), textIn(now));
  const {added = 0, removed = 0, diff} = change ?? {};
  return {added, removed, ...(diff === undefined ? {} : {diff})};
}

function textIn(first: Exclude<First, 'unknown'>): string | undefined {
  return first === 'absent' ? undefined : first.text;
}
