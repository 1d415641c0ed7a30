/** The names under which models see the tools of servers: `server__tool`, within the limits of providers, each once. */

import {hashOf} from '../../machines/domain/digest.ts';

const maxName = 64;
const hashLength = 8;

export interface Named {
  readonly server: string;
  /** Distinguishes a server's own tool from the tool that reads its resources. */
  readonly kind: string;
  readonly tool: string;
}

/**
 * The name of each, in the given order. Names that are too long, or that would be equal, end in a hash of server, kind and
 * tool: so the name of a tool depends on no order, and on others only if they would share it.
 */
export function toolNames(all: readonly Named[]): readonly string[] {
  const plain = all.map(plainName);
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  return plain.map((name, index) => {
    const named = all[index];
    if (!named || (name.length <= maxName && counts.get(name) === 1)) return name;
    const hash = hashOf({...named}).slice(0, hashLength);
    return `${name.slice(0, maxName - hashLength - 1)}_${hash}`;
  });
}

function plainName({server, tool}: Named): string {
  return `${safe(server)}__${safe(tool)}`;
}

function safe(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}
