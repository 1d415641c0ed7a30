/** How a sandbox without a network reaches the hosts that are named: what is put into it, and what runs in it. */

import {fileURLToPath} from 'node:url';

import type {Destination} from './destination.ts';

/** Beside this module in the sources; at its own place in the package, whose modules are built into a few. */
const inSources = new URL('./forward-process.ts', import.meta.url);
const inPackage = new URL('../tools/run/sandbox/forward-process.js', import.meta.url);
const program = fileURLToPath(import.meta.url.endsWith('.ts') ? inSources : inPackage);

export interface WayOut {
  /** Arguments of bubblewrap. */
  readonly mounts: readonly string[];
  /** What stands before the command. */
  readonly before: readonly string[];
  /** By which programs find the proxy. */
  readonly env: Readonly<Record<string, string>>;
  /** Never rejects. */
  readonly close: () => Promise<void>;
}

const none: WayOut = {mounts: [], before: [], env: {}, close: async () => await Promise.resolve()};

/** Inside, nothing else listens. */
const port = 3128;
const folder = '/run/quorate';

/** Rejects with the operating system's error when nothing can listen here. */
export async function openWayOut(rules: readonly Destination[]): Promise<WayOut> {
  if (rules.length === 0) return none;
  const {startProxy} = await import('./proxy.ts');
  const {socket, close} = await startProxy(rules);
  const forward = `${folder}/forward-process${program.slice(program.lastIndexOf('.'))}`;
  const node = `${folder}/node`;
  return {
    mounts: [
      ['--ro-bind', process.execPath, node],
      ['--ro-bind', program, forward],
      ['--bind', socket, `${folder}/proxy.sock`],
    ].flat(),
    before: [node, '--no-warnings', forward, `${folder}/proxy.sock`, `${port}`],
    env: proxied(rules),
    close,
  };
}

/** What listens inside is reached without it, but where the same name is allowed outside. */
function proxied(rules: readonly Destination[]): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const here = ['localhost', '127.0.0.1', '::1']
    .filter((name) => rules.every(({host}) => host !== name))
    .join(',');
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: here,
    NODE_USE_ENV_PROXY: '1',
    http_proxy: url,
    https_proxy: url,
    no_proxy: here,
  };
}
