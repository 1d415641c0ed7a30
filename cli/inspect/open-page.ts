/** Opens an address in the browser of this person. */

import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {temporaryFolder} from '../../tools/temporary-folder.ts';

const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** A browser has read the file by then. */
const keptMs = 30_000;

/**
 * Opens a private file that leads to the address: arguments of programs, unlike it, can be read by everyone on the machine.
 * Resolves with false when no program could be started.
 */
export async function openPage(address: string): Promise<boolean> {
  const folder = mkdtempSync(join(temporaryFolder(), 'quorate-page-'));
  const file = join(folder, 'inspector.html');
  writeFileSync(file, `<meta http-equiv="refresh" content="0; url=${address}">`, {mode: 0o600});
  const remove = (): void => rmSync(folder, {recursive: true, force: true});
  process.once('exit', remove);
  setTimeout(remove, keptMs).unref();
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, pathToFileURL(file).href], {
    stdio: 'ignore',
    detached: true,
  });
  const {promise, resolve} = Promise.withResolvers<boolean>();
  child.once('error', () => resolve(false));
  child.once('spawn', () => resolve(true));
  child.unref();
  return await promise;
}
