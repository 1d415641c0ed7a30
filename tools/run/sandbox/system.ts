/** The parts of the machine that are visible in a sandbox, read-only: programs, and the settings that they need. */

import {existsSync, readlinkSync} from 'node:fs';
import {dirname, resolve} from 'node:path';

import {statsOf} from '../../containment/guarded.ts';
import {systemFolders} from './toolchains.ts';

/** From /etc: nothing secret. */
const settings: readonly string[] = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'fonts',
  'group',
  'gitconfig',
  'hosts',
  'java',
  'ld.so.cache',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust',
  'pki/java',
  'pki/tls/certs',
  'pki/tls/cert.pem',
  'protocols',
  'services',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
];

export interface SystemPlaces {
  /** Folders and files under their own paths. */
  readonly shown: readonly string[];
  /** Links whose targets are shown. */
  readonly links: readonly {readonly path: string; readonly target: string}[];
}

let known: SystemPlaces | undefined;

/** Looked up once: a system does not change while it runs. */
export function systemPlaces(): SystemPlaces {
  known ??= look();
  return known;
}

function look(): SystemPlaces {
  const there = [
    ...systemFolders,
    ...settings.map((name) => `/etc/${name}`),
    '/sys/devices/system/cpu',
  ].filter((path) => existsSync(path));
  const links = there.flatMap((path) => {
    if (statsOf(path)?.isSymbolicLink() !== true) return [];
    const target = readlinkSync(path);
    return resolve(dirname(path), target).startsWith('/usr/') ? [{path, target}] : [];
  });
  const linked = new Set(links.map(({path}) => path));
  return {shown: there.filter((path) => !linked.has(path)), links};
}
