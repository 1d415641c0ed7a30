/** What of the machine is shown in a sandbox, read-only: programs, and what they need to know of it. */

import {existsSync, readlinkSync} from 'node:fs';
import {dirname, resolve} from 'node:path';

import {statsOf} from '../../containment/guarded.ts';
import {systemFolders} from './toolchains.ts';

/** Of /etc: nothing that is secret to anybody. */
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
  /** Folders and files as they are. */
  readonly shown: readonly string[];
  /** Links whose targets are shown. */
  readonly links: readonly {readonly path: string; readonly target: string}[];
}

let known: SystemPlaces | undefined;

/** Looked up once: a system is not rebuilt under way. */
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
