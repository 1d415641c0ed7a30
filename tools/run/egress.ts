/** Addresses that a command would contact and that no manifest of the project names. */

import {
  type Address,
  addressesIn,
  isThisMachine,
  namesHost,
} from '../../machines/places/address.ts';
import {projectAddresses} from '../commands/look/project-addresses.ts';
import {goesOut, reachingUnknown} from '../commands/reached.ts';
import type {Reading} from '../commands/reading.ts';
import type {SimpleCommand} from '../commands/understanding.ts';

/**
 * If the command contacts any address, all addresses in its words count: a proxy, a registry, a setting that leads elsewhere.
 * Manifests that the run has changed name none. Never rejects.
 */
export async function unnamedAddresses({
  understanding: {effects, commands},
  surroundings,
  written,
}: Reading): Promise<readonly string[]> {
  if (!effects.some((effect) => goesOut(effect) || effect.kind === 'installs')) return [];
  const known = await projectAddresses(surroundings, (path) => written.includes(path));
  const strange = reachingUnknown(effects, known);
  const texts = strange.map(({target}) => target);
  return [...new Set([...texts, ...addressesGiven(commands, known, texts)])];
}

function addressesGiven(
  commands: readonly SimpleCommand[],
  known: readonly Address[],
  listed: readonly string[],
): readonly string[] {
  const words = commands.flatMap(({args, assignments}) => [...args, ...Object.values(assignments)]);
  return words
    .flatMap(({text}) => addressesIn(text))
    .filter((address) => !isThisMachine(address) && !namesHost(known, address))
    .filter(({host}) => !listed.some((text) => text.toLowerCase().includes(host)))
    .map(({host, rest}) => host + rest);
}
