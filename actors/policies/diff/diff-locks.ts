/** The rule of policy/safety for lock files: known hosts, and a hash for each download. */

import {type FileDiff, type Hunk, numbered} from '../../../machines/domain/patch.ts';
import type {DiffRule, Finding} from './diff-rule.ts';

interface LockFormat {
  readonly name: RegExp;
  /** A line with a download that needs a hash. */
  readonly download: RegExp;
  /** The hash, in the same line or one of the next few. */
  readonly hash: RegExp;
}

/** The formats that the rule reads whole: all of them record hosts and hashes. */
const formats: readonly LockFormat[] = [
  {
    name: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/,
    download: /^\s*"resolved": "(?!file:)/,
    hash: /"integrity": "sha(?:1|256|384|512)-/,
  },
  {
    name: /(?:^|\/)yarn\.lock$/,
    download: /^\s*resolved "/,
    hash: /^\s*integrity sha(?:1|256|384|512)-/,
  },
  {
    name: /(?:^|\/)pnpm-lock\.yaml$/,
    download: /^\s*resolution: \{/,
    hash: /integrity: sha(?:1|256|384|512)-/,
  },
  {
    name: /(?:^|\/)Cargo\.lock$/,
    download: /^source = "registry\+/,
    hash: /^checksum = "[\da-f]{64}"/,
  },
  {
    name: /(?:^|\/)uv\.lock$/,
    download: /\burl = "/,
    hash: /\bhash = "sha256:[\da-f]{64}"/,
  },
  {name: /(?:^|\/)go\.sum$/, download: /\S/, hash: /^\S+ \S+ h1:[\w+/]{43}=$/},
];

/** Hosts of the public registries that these formats name. */
const registries = new Set([
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'npm.jsr.io',
  'pypi.org',
  'files.pythonhosted.org',
  'github.com/rust-lang/crates.io-index',
]);

/** Lines between a download and its hash. */
const maxBetween = 4;

/** Yarn 2 records its hashes without the addresses, far from the packages: not read here. */
const otherYarn = /^.\s*(?:resolution|languageName|checksum): /;

/** True if the rule reads the whole file. */
function isReadWhole({path, hunks}: FileDiff): boolean {
  if (hunks.length === 0 || !formatOf(path)) return false;
  return !hunks.some(({lines}) => lines.some((line) => otherYarn.test(line)));
}

export const lockFileRule: DiffRule = {
  id: 'lock-file',
  refuses:
    'in lock files of npm, Yarn 1, pnpm, Cargo, uv and Go: downloads without a hash, and hosts that are neither a public registry nor in the unchanged lines',
  safer: 'let the package manager write the file, from the registry that the project uses',
  severity: 'major',
  readsWhole: isReadWhole,
  find: ({file}) => {
    const format = file.did === 'deleted' ? undefined : formatOf(file.path);
    if (!format) return [];
    const known = hostsIn(file.hunks.flatMap(({lines}) => lines.filter((line) => line[0] !== '+')));
    return file.hunks.flatMap((hunk) => [
      ...strangersIn(hunk, new Set([...registries, ...known])),
      ...unhashedIn(hunk, format),
    ]);
  },
};

function formatOf(path: string): LockFormat | undefined {
  return formats.find(({name}) => name.test(path));
}

function strangersIn(hunk: Hunk, known: ReadonlySet<string>): Finding[] {
  return numbered(hunk).flatMap(({line, text}) => {
    const stranger = text.startsWith('+') ? hostsIn([text]).find((host) => !known.has(host)) : '';
    return stranger && line !== undefined ? [{line, value: stranger}] : [];
  });
}

/** Addresses for people, not for downloads. */
const information = /^[ +-]\s*"(?:url|funding)":/;
const address =
  /(?<scheme>[\w+]{2,20}):\/\/(?<host>[^\s"'#?),/]{1,300})(?<path>[^\s"'#?),]{0,300})/g;
const index = '/rust-lang/crates.io-index';

/** The hosts in lines, each with its scheme unless that is HTTPS. */
function hostsIn(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !information.test(line))
    .flatMap((line) =>
      [...line.matchAll(address)].map(({groups: {scheme = '', host = '', path = ''} = {}}) => {
        const place = host === 'github.com' && path.startsWith(index) ? `${host}${index}` : host;
        return /^(?:registry\+|sparse\+)?https$/.test(scheme) ? place : `${scheme}://${place}`;
      }),
    );
}

/** Downloads of the new file without a hash, if they or a line near them were changed. */
function unhashedIn(hunk: Hunk, {download, hash}: LockFormat): Finding[] {
  const rows = numbered(hunk);
  return rows.flatMap(({line, text}, at) => {
    if (line === undefined || !download.test(text.slice(1))) return [];
    const near = rows.slice(at, at + 1 + maxBetween);
    const after = near.filter((row) => row.line !== undefined);
    const isHashed = after.some((row) => hash.test(row.text.slice(1)));
    const isChanged = near.some(
      (row) => /^[+-]/.test(row.text) && (row === near[0] || hash.test(row.text.slice(1))),
    );
    return isHashed || !isChanged ? [] : [{line, value: `${text.slice(1).trim()} without a hash`}];
  });
}
