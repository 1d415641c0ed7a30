/** Starts a server to learn its tools, compares them with the pin, and ends it. Loaded when a server is started. */

import {escapeLine} from '../escape.ts';
import {connect} from './connection.ts';
import {differences, readListing, type ReadListing} from './listing.ts';
import type {Pins} from './pins.ts';
import type {StartGround} from './server-start.ts';
import {keyOf, type McpServer, ServerFault} from './server.ts';

export type Started =
  /** Its tools are pinned; `changes`: what was not so before. */
  | {readonly kind: 'known'; readonly changes: readonly string[]}
  | {readonly kind: 'unreachable' | 'needsToken'; readonly why: string};

export interface StartOptions extends Pick<StartGround, 'workspace' | 'sandbox'> {
  readonly pins: Pins;
  /** A person trusts its tools as they are now. */
  readonly isTrusted: boolean;
  readonly onOutput: (server: string, text: string) => void;
}

/** Never rejects. */
export async function startServerOnce(server: McpServer, options: StartOptions): Promise<Started> {
  try {
    const {listing, isLegacy} = await listOnce(server, options);
    return {kind: 'known', changes: keep(server, listing, isLegacy, options)};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const isLocked = error instanceof ServerFault && error.code === 'needs_oauth';
    return {kind: isLocked ? 'needsToken' : 'unreachable', why: escapeLine(why.slice(0, 500))};
  }
}

async function listOnce(
  server: McpServer,
  {pins, workspace, sandbox, isTrusted, onOutput}: StartOptions,
): Promise<{readonly listing: ReadListing; readonly isLegacy: boolean}> {
  const pin = pins.read(keyOf(server));
  const connection = await connect(server, {
    workspace,
    sandbox,
    onChild: () => {},
    onStderr: (text) => onOutput(server.name, text),
    isLegacy: !isTrusted && pin !== undefined && pin !== 'damaged' && pin.isLegacy,
    signal: new AbortController().signal,
  });
  try {
    return {listing: readListing(await connection.list()), isLegacy: connection.isLegacy};
  } finally {
    await connection.close();
  }
}

/** A set that is not trusted leaves the pin as it was, with the changes. */
function keep(
  server: McpServer,
  listing: ReadListing,
  isLegacy: boolean,
  {pins, isTrusted}: StartOptions,
): readonly string[] {
  const key = keyOf(server);
  const read = pins.read(key);
  if (read === 'damaged' && !isTrusted) return [];
  const pin = read === 'damaged' ? undefined : read;
  const changes = differences(pin, listing);
  const isSame = pin === undefined || pin.digest === listing.digest;
  if (isTrusted || isSame) pins.write(key, {...listing, isLegacy});
  else pins.write(key, {...pin, isLegacy, changed: {list: changes, set: listing.set}});
  return changes;
}
