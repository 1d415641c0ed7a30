/** Opens an address in the browser of this person. */

import {spawn} from 'node:child_process';

const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Resolves with false when no program could be started. */
export async function openPage(address: string): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], {stdio: 'ignore', detached: true});
  const {promise, resolve} = Promise.withResolvers<boolean>();
  child.once('error', () => resolve(false));
  child.once('spawn', () => resolve(true));
  child.unref();
  return await promise;
}
