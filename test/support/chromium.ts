/**
 * Debian's headless Chromium. It is installed when it is missing and can be installed (as root, with apt); otherwise tests that
 * need it are skipped, and a message has the reason.
 */

import {existsSync} from 'node:fs';
import process from 'node:process';

import {execa} from 'execa';
import {type Browser, chromium} from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Without these options it calls hosts of its maker at every start. */
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

/** Never rejects. The caller closes the browser. */
export async function findChromium(): Promise<Found> {
  if (!existsSync(executablePath)) await install('chromium');
  if (!existsSync(executablePath)) {
    const missing = `no ${executablePath}: apt-get install chromium puts it there`;
    process.stderr.write(`Tests that need a browser are skipped: ${missing}\n`);
    return {missing};
  }
  return {browser: await chromium.launch({executablePath, args})};
}

/** Installs Debian packages. Never rejects. */
export async function install(...packages: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const apt = ['-qq', '-o', 'DPkg::Lock::Timeout=300'];
  const env = {DEBIAN_FRONTEND: 'noninteractive'};
  await execa('apt-get', [...apt, 'update'], {env, reject: false});
  const options = ['install', '--yes', '--no-install-recommends', ...packages];
  await execa('apt-get', [...apt, ...options], {env, reject: false});
}
