/** Data that commands send to other computers: unnamed hosts, and the number of bytes that the request does not contain. */

import {commandIn} from '../../../machines/domain/evidence.ts';
import {
  type Address,
  addressesIn,
  bytesBeyond,
  namesHost,
} from '../../../machines/places/address.ts';
import type {Effect, Unknown} from '../../../tools/commands/effect.ts';
import {isManifest, isRegistry} from '../../../tools/commands/look/project-addresses.ts';
import {addressReached, goesOut, reachingUnknown} from '../../../tools/commands/reached.ts';
import type {PolicyInput} from '../rule.ts';
import {deedsIn, mayHaveReadAny} from '../run-evidence.ts';
import {changes} from './losses.ts';

/**
 * The most bytes that all calls of a proposal may send, without schemes, hosts and named parts; once the run has read
 * something, together with all that its commands have sent before.
 */
const mostBytesOut = 64;

/** Empty for confined commands: these reach only computers that a person has named. */
export function doubtfulEgress(input: PolicyInput): Unknown[] {
  const {proposal, analysis, calls} = input;
  if (proposal.kind === 'result' || analysis.isConfined) return [];
  const effects = calls.flatMap(({command}) => command?.effects ?? []);
  const known = [...addressesIn(proposal.facts.request, {hasBare: true}), ...analysis.addresses];
  const sent = mayHaveReadAny(input) ? sentBefore(input) : [];
  return [
    ...unnamedReach(effects, sent, known),
    ...declaredReach(effects, analysis.declared, known),
  ];
}

/** Undefined: unknown, as there were more commands than are analysed again. */
function sentBefore(input: PolicyInput): readonly Effect[] | undefined {
  const commands = deedsIn(input).filter(({entry}) => commandIn(entry) !== undefined);
  if (commands.some(({command}) => command === undefined)) return undefined;
  return commands.flatMap(({command}) => command?.effects ?? []).filter(goesOut);
}

function unnamedReach(
  effects: readonly Effect[],
  sent: readonly Effect[] | undefined,
  known: readonly Address[],
): Unknown[] {
  const reached = effects.filter(goesOut);
  const [first] = reached;
  if (!first) return [];
  const strange = reachingUnknown(reached, known);
  return [
    ...strange.map(({by, target}) => ({
      word: by,
      why: `neither the request nor a manifest of the project names ${target.slice(0, mostShown)}`,
    })),
    ...excessOf(first, reached, sent, known),
  ];
}

function excessOf(
  {by}: Effect,
  reached: readonly Effect[],
  sent: readonly Effect[] | undefined,
  known: readonly Address[],
): Unknown[] {
  if (bytesOut(reached, known) === 0) return [];
  if (!sent) return [{word: by, why: 'how much this run has sent before is not known'}];
  const before = bytesOut(sent, known);
  const bytes = bytesOut([...sent, ...reached], known);
  if (bytes === before || bytes <= mostBytesOut) return [];
  const earlier = before > 0 ? `, ${before} of them before` : '';
  const why = `it sends ${bytes} bytes that nobody has named to other computers${earlier}; the limit is ${mostBytesOut}`;
  return [{word: by, why}];
}

const mostShown = 100;

/** Doubts an install of packages if this run has changed or may have changed the source addresses in manifests. */
function declaredReach(
  effects: readonly Effect[],
  declared: readonly Address[],
  known: readonly Address[],
): Unknown[] {
  const installs = effects.filter(({kind}) => kind === 'installs');
  const [install] = installs;
  if (!install) return [];
  const installers = new Set(installs.map(({by}) => by));
  const strange = declared.find((address) => !isRegistry(address) && !namesHost(known, address));
  const isWritten = effects.some((effect) => writesManifest(effect, installers));
  if (!strange && !isWritten) return [];
  const why = strange
    ? `this run has declared ${strange.host} as a source of packages`
    : 'this run writes a manifest whose package sources were not examined';
  return [{word: install.by, why}];
}

/** True for a write of a manifest by another command, and for installing from a new file: `pip install -r NAME`. */
function writesManifest({kind, place, by}: Effect, installers: ReadonlySet<string>): boolean {
  if (!place?.inside) return false;
  if (installers.has(by)) {
    const isOwn = place.state === 'written' || place.isMade === true;
    return kind === 'reads' && isOwn && !isManifest(place.path);
  }
  return changes.has(kind) && isManifest(place.path);
}

/** Identical requests count once. */
function bytesOut(reached: readonly Effect[], known: readonly Address[]): number {
  const targets = new Map(
    reached
      .filter(({isOwn}) => !isOwn)
      .map((effect) => {
        const {target} = effect;
        const address = addressReached(effect);
        return [target, address ? bytesBeyond(address, known) : Buffer.byteLength(target)];
      }),
  );
  const along = new Set(reached.flatMap((effect) => effect.along ?? []));
  return [...targets.values(), ...[...along].map((text) => Buffer.byteLength(text))].reduce(
    (sum, bytes) => sum + bytes,
    0,
  );
}
