/**
 * Debian's Chromium without a screen. It is installed where it is missing and may be (as root, with apt); where it can't
 * be, what needs it is skipped, and the reason says so.
 */

import {existsSync} from 'node:fs';
import process from 'node:process';

import {execa} from 'execa';
import {type Browser, chromium} from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Without these it asks hosts of its maker for news at every start. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type Found = {readonly browser: Browser} | {readonly missing: string};

/** Resolves in any case. The browser is the caller's to close. */
export async function findChromium(): Promise<Found> {
  if (!existsSync(executablePath)) await install('chromium');
  if (!existsSync(executablePath)) {
    const missing = `no ${executablePath}: apt-get install chromium puts it there`;
    process.stderr.write(`What needs a browser is skipped: ${missing}\n`);
    return {missing};
  }
  return {browser: await chromium.launch({executablePath, args})};
}

/** Debian packages. Resolves whether or not it could be done. */
export async function install(...packages: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const apt = ['-qq', '-o', 'DPkg::Lock::Timeout=300'];
  const env = {DEBIAN_FRONTEND: 'noninteractive'};
  await execa('apt-get', [...apt, 'update'], {env, reject: false});
  const options = ['install', '--yes', '--no-install-recommends', ...packages];
  await execa('apt-get', [...apt, ...options], {env, reject: false});
}
