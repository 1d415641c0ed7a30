/** The rules of policy/safety for diffs: secrets, hidden text, destructive commands, and code that nobody has read. */

import {type FileDiff, type Hunk, numbered} from '../../../machines/domain/patch.ts';
import {isCredentialPlace} from '../../../machines/places/places.ts';
import {secretIn} from '../../../machines/places/secrets.ts';
import {
  type DiffLook,
  type DiffRule,
  type Finding,
  isCommandFile,
  isProse,
  lineRule,
} from './diff-rule.ts';

// The rule of policy/safety for lock files: known hosts, and a hash for each download.

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

const lockFileRule: DiffRule = {
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

/** Addresses for people, not for downloads. */
const information = /^[ +-]\s*"(?:url|funding)":/;
const address =
  /(?<scheme>[\w+]{2,20}):\/\/(?<host>[^\s"'#?),/]{1,300})(?<path>[^\s"'#?),]{0,300})/g;
const index = '/rust-lang/crates.io-index';

export const safetyDiffRules: readonly DiffRule[] = [
  lineRule({
    id: 'committed-secret',
    refuses:
      'a secret in the added lines: private keys, `AKIA…`, `sk-…`, `ghp_…`, `xox…`, `AIza…`, tokens in a URL',
    safer: 'read it from the environment, and revoke this secret: it is exposed',
    severity: 'critical',
    test: () => (text) => {
      const secret = secretIn(text);
      return secret && `${secret.slice(0, 6)}… (${secret.length} characters)`;
    },
  }),
  {
    id: 'credential-file',
    refuses: 'files whose names suggest credentials: `.env`, `id_rsa`, `*.pem`, `.netrc`',
    safer: 'keep it out of the repository, and commit an example without values',
    severity: 'critical',
    find: ({file}) =>
      file.did !== 'deleted' && isCredentialPlace(file.path) ? [{value: file.path}] : [],
  },
  lineRule({
    id: 'hidden-text',
    refuses:
      'characters that reorder or hide text from a reader: bidirectional controls, zero-width characters',
    safer: 'use visible characters, or an escape sequence',
    severity: 'critical',
    test: () => hiddenIn,
  }),
  lineRule({
    id: 'asks-for-vote',
    refuses:
      'text that addresses reviewers and asks for their vote, or asks them to ignore their instructions',
    safer: 'remove it: reviewers judge the change itself',
    severity: 'critical',
    test: () => (text) => asksForVote.map((pattern) => pattern.exec(text)?.[0]).find(Boolean),
  }),
  lineRule({
    id: 'dangerous-command',
    refuses:
      'in scripts, CI, Makefiles, Dockerfiles and manifests: running downloads (`curl … | sh`), deleting from the root or a home folder, writing to devices, opening files to everybody, fork bombs, disabling certificate checks',
    safer: 'download, verify a hash, then run; name the deleted paths exactly',
    severity: 'critical',
    test: (path) => (isCommandFile(path) ? dangerIn : undefined),
  }),
  lineRule({
    id: 'run-of-decoded-code',
    refuses: 'code that runs what it decodes: `eval(atob(…))`, `exec(base64.b64decode(…))`',
    safer: 'write the decoded code itself',
    severity: 'critical',
    test: (path) => (isProse(path) ? undefined : (text) => decodedCode.exec(text)?.[0]),
  }),
  {
    id: 'binary-file',
    refuses:
      'binary files that nobody can read: programs, libraries, archives, and all types except pictures, fonts, audio, video and documents',
    safer: 'build it from its sources, or download it and verify its hash',
    severity: 'major',
    find: ({file: {path, isBinary, did}}) =>
      isBinary && did !== 'deleted' && !harmlessBinary.test(path) ? [{value: path}] : [],
  },
  lockFileRule,
  {
    id: 'made-executable',
    refuses: 'execute permission for a file that is not a script',
    safer: 'leave the permissions as they are',
    severity: 'major',
    find: ({file: {path, mode}}) =>
      mode?.endsWith('755') === true &&
      /\.(?:md|txt|json|ya?ml|toml|csv|png|jpe?g|svg|html?|css)$/i.test(path)
        ? [{value: `${path} (${mode})`}]
        : [],
  },
  {
    id: 'link-outside',
    refuses: 'symbolic links that lead out of the repository',
    safer: 'link within the repository, relative to the link',
    severity: 'critical',
    find: linksOutside,
  },
];

const asksForVote: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget)\s{1,3}(?:all\s{1,3}|any\s{1,3})?(?:of\s)?(?:the\s|your\s)?(?:previous|prior|above|earlier)\s{1,3}(?:instructions?|prompts?|rules|messages)\b/i,
  /\b(?:reviewers?|ais?|llms?|models?|assistants?|agents?|bots?)\b[\s:,]{1,5}(?:(?:must|should|shall|please|always|to)\s{1,3}){0,3}(?:approve|vote\s{1,3}(?:to\s)?approve|cast)\b/i,
  /\bcast_ballot\b.{0,80}\bapprove/i,
  /(?:レビュアー|審査員|査読者|AI|モデル).{0,20}(?:承認して|賛成して)/,
];

const hidden = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\u{e0000}-\u{e007f}]/u;

function hiddenIn(text: string): string | undefined {
  const match = hidden.exec(text);
  if (!match) return undefined;
  const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code} at column ${match.index + 1}`;
}

/** Each pattern starts with a literal, such as the name of a command, so that no line takes long. */
const dangerous: readonly RegExp[] = [
  /\b(?:curl|wget)\b[^|;&\n]{0,300}\|\s{0,5}(?:sudo\s{1,5})?(?:ba|z|da|k)?sh\b/,
  /\b(?:ba|z)?sh\s{1,5}(?:-c\s{1,5})?["']?(?:<\(|\$\()\s{0,5}(?:curl|wget)\b/,
  /\brm\s{1,5}(?:-\w{1,10}\s{1,5}){1,4}["']?(?:\/(?:\*|["'\s]|$|(?:etc|usr|var|home|bin|lib|boot|root)\b)|~(?:\/|\s|$)|\$\{?HOME\b)/,
  /\brm\s{1,5}-\w{0,5}r\w{0,5}\s{1,5}["']?\$\{?\w{1,40}\}?["']?\/["']?\*?["']?(?:\s|$)/,
  /\bdd\s[^\n]{0,200}\bof=\/dev\/\w|\bmkfs(?:\.\w{1,10})?\s|>\s{0,3}\/dev\/(?:sd|nvme|disk)/,
  /\bchmod\s{1,5}(?:-R\s{1,5})?(?:0?777|a\+rwx)\b/,
  /:\(\)\s{0,3}\{\s{0,3}:\|:&\s{0,3}\};:/,
  /\bNODE_TLS_REJECT_UNAUTHORIZED\b\W{1,5}0|\bstrict-ssl\W{1,3}false\b|\bhttp\.sslVerify\W{1,3}false\b/,
];

function dangerIn(text: string): string | undefined {
  return dangerous.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
}

const decodedCode =
  /\b(?:eval|exec|Function)\s{0,3}\(\s{0,3}(?:atob|Buffer\.from|base64\.b64decode|b64decode|codecs\.decode|unescape)\b/;

const harmlessBinary =
  /\.(?:png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|svgz?|woff2?|ttf|otf|eot|mp3|mp4|m4a|ogg|oga|wav|webm|mov|pdf|psd|sketch|fig)$/i;

/** The content of a symbolic link is its target, in one line. */
function linksOutside({file}: DiffLook): Finding[] {
  if (file.mode !== '120000') return [];
  const target = file.hunks[0]?.lines.find((text) => text.startsWith('+'))?.slice(1) ?? '';
  const depth = file.path.split('/').length - 1;
  const ups = /^(?:\.\.\/){1,50}/.exec(`${target}/`)?.[0].length ?? 0;
  return target.startsWith('/') || ups / 3 > depth ? [{line: 1, value: target}] : [];
}

interface LockFormat {
  readonly name: RegExp;
  /** A line with a download that needs a hash. */
  readonly download: RegExp;
  /** The hash, in the same line or one of the next few. */
  readonly hash: RegExp;
}

/** True if the rule reads the whole file. */
function isReadWhole({path, hunks}: FileDiff): boolean {
  if (hunks.length === 0 || !formatOf(path)) return false;
  return !hunks.some(({lines}) => lines.some((line) => otherYarn.test(line)));
}

function formatOf(path: string): LockFormat | undefined {
  return formats.find(({name}) => name.test(path));
}

function strangersIn(hunk: Hunk, known: ReadonlySet<string>): Finding[] {
  return numbered(hunk).flatMap(({line, text}) => {
    const stranger = text.startsWith('+') ? hostsIn([text]).find((host) => !known.has(host)) : '';
    return stranger && line !== undefined ? [{line, value: stranger}] : [];
  });
}

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
