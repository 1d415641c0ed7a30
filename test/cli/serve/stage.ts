/** A server in this process, with its folder, for each test. */

import {afterEach, beforeEach} from 'vitest';

import {type Serving, serveHere, temporaryFolder} from '../../support/serving.ts';
import {delegate} from '../folders.ts';

type ServerOptions = Parameters<typeof serveHere>[1];

export interface ServerStage {
  /** The server of the current test. */
  readonly server: Serving;
  /** Its folder. */
  readonly folder: () => string;
  /** Closes the server, and starts another one over the same folder. */
  readonly restart: (options?: ServerOptions) => Promise<void>;
}

/** A server in this process. `options`: read before each test. */
export function setServer(
  options: (folder: string) => ServerOptions | Promise<ServerOptions> = () => ({}),
): ServerStage {
  let place: ReturnType<typeof temporaryFolder>;
  let current: Serving;
  beforeEach(async () => {
    place = temporaryFolder();
    current = await serveHere(place.folder, await options(place.folder));
  });
  afterEach(async () => {
    await current.close();
    place.remove();
  });
  return {
    server: delegate(() => current),
    folder: () => place.folder,
    restart: async (others) => {
      await current.close();
      current = await serveHere(place.folder, others ?? (await options(place.folder)));
    },
  };
}
