/** Rules about diffs, and the ballot with comments on lines that results from them. */

import {
  type AddedLine,
  addedLines,
  type Comment,
  type FileDiff,
  type Severity,
  type Hunk,
  numbered,
} from '../../machines/domain/patch.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import {secretIn} from '../../machines/places/secrets.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import {shown} from './rule.ts';

/** A place where a rule applies. */
export interface Finding {
  /** A line number of the new file. Absent: the whole file. */
  readonly line?: number;
  readonly value: string;
}

export interface DiffRule {
  readonly id: string;
  /** The text that the rule refuses or remarks on, for the documentation. */
  readonly refuses: string;
  /** An alternative, for the author. */
  readonly safer: string;
  /** `minor`: a remark, which does not reject the diff. */
  readonly severity: Severity;
  readonly find: (look: DiffLook) => readonly Finding[];
  /** True for a file that no model needs to read, because this rule reads all of it. */
  readonly readsWhole?: (file: FileDiff) => boolean;
}

export interface DiffLook {
  readonly file: FileDiff;
  readonly added: readonly AddedLine[];
  /** The purpose of the change, as the request states it. */
  readonly focus: string;
}

/** Returns the offending part of a line, if there is one. */
export type LineTest = (text: string) => string | undefined;

/** A rule about single added lines. `test` returns the check for a file, or undefined if the rule ignores the file. */
export function lineRule(
  rule: Omit<DiffRule, 'find'> & {readonly test: (path: string) => LineTest | undefined},
): DiffRule {
  const {test, ...rest} = rule;
  const find = ({file, added}: DiffLook): Finding[] => {
    const offends = test(file.path);
    if (!offends) return [];
    return added.flatMap(({line, text}) => {
      const value = offends(text);
      return value === undefined ? [] : [{line, value}];
    });
  };
  return {...rest, find};
}

/** The most reasons and comments of a ballot. */
const maxReasons = 20;
const maxComments = 200;

interface Remark {
  readonly by: DiffRule;
  /** Escaped and in quotes. */
  readonly value: string;
  readonly comment: Comment;
}

/** Rejects for critical and major findings. Minor findings become comments only. */
export function voteOnDiff(policy: string, rules: readonly DiffRule[], proposal: Proposal): Ballot {
  const {diff = [], request} = proposal.facts;
  const remarks = diff.flatMap((file) => remarksOn(file, rules, request));
  const against = remarks.filter(({by}) => by.severity !== 'minor');
  const comments = remarks.slice(0, maxComments).map(({comment}) => comment);
  const [first] = against;
  const whole = diff.filter((file) => rules.some(({readsWhole}) => readsWhole?.(file)));
  const read = whole.length > 0 ? {read: whole.map(({path}) => path)} : {};
  if (!first) {
    const reason = `no rule refuses this ${proposal.kind}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.9, ...read, ...some(comments)};
  }
  return {
    verdict: 'reject',
    reasons: against.slice(0, maxReasons).map((one) => reasonOf(policy, one)),
    confidence: 1,
    suggestedChange: first.by.safer,
    rules: [...new Set(against.map(({by}) => by.id))],
    ...some(comments),
  };
}

function some(comments: readonly Comment[]): Pick<Ballot, 'comments'> {
  return comments.length > 0 ? {comments} : {};
}

function remarksOn(file: FileDiff, rules: readonly DiffRule[], focus: string): Remark[] {
  const look = {file, added: addedLines(file), focus};
  return rules.flatMap((rule) =>
    rule.find(look).map((finding) => remark(rule, file.path, finding)),
  );
}

function remark(rule: DiffRule, file: string, {line, value}: Finding): Remark {
  const {id, severity, safer} = rule;
  const quoted = shown(value);
  const message = `${id}: ${quoted}; better: ${safer}`;
  const place = line === undefined ? {file} : {file, line};
  return {by: rule, value: quoted, comment: {...place, severity, message, rule: id}};
}

/** The comment is attached to its line, so only the reason names the file and the line. */
function reasonOf(policy: string, {by, comment, value}: Remark): string {
  const {file, line} = comment;
  return `${policy}/${by.id}: ${value} in ${file}${line === undefined ? '' : `:${line}`}`;
}

// Classifies files by path, for rules about diffs.

/** True for text for people, in which code is an example. */
function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown|txt|rst|adoc|org|tex|html?|svg|po)$/i.test(path);
}

/** True for files whose lines are or contain commands: scripts, CI, Makefiles, Dockerfiles, manifests. */
function isCommandFile(path: string): boolean {
  return /\.(?:sh|bash|zsh|ksh|fish|ps1|bat|cmd|mk|ya?ml)$|(?:^|\/)(?:package\.json|[Mm]akefile|GNUmakefile|[Jj]ustfile|(?:[\w.-]+\.)?[Dd]ockerfile(?:\.[\w-]+)?|Containerfile|Jenkinsfile|Procfile|Vagrantfile|\.husky\/[\w-]+|\.githooks\/[\w-]+)$/.test(
    path,
  );
}

export function isTest(path: string): boolean {
  return /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e)(?:[/._-]|$)|(?:^|\/)test_\w+\.py$|_test\.\w+$|Tests?\.(?:java|kt|cs|swift)$/.test(
    path,
  );
}

/** The language of the file, if rules know its tests or debuggers. */
export function languageOf(
  path: string,
): 'js' | 'python' | 'ruby' | 'rust' | 'go' | 'php' | 'jvm' | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(path) ?? [];
  if (/^(?:[cm]?[jt]sx?|vue|svelte|astro)$/.test(ending)) return 'js';
  if (/^pyi?$/.test(ending)) return 'python';
  if (/^(?:rb|rake)$/.test(ending)) return 'ruby';
  if (/^(?:java|kt|kts|scala|groovy)$/.test(ending)) return 'jvm';
  return (['go', 'php', 'rust'] as const).find(
    (language) => language === ending || (language === 'rust' && ending === 'rs'),
  );
}

// The rules of policy/safety for diffs: secrets, hidden text, destructive commands, and code that nobody has read.

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
