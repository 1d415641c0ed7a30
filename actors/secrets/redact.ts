/** Masks known secrets before an outcome is delivered, so that none reaches a machine, the journal or a model. */

import {constants} from 'node:fs';
import {open, readdir, stat} from 'node:fs/promises';
import {join, posix, relative} from 'node:path';

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {mask, namesSecret, secretsIn, tokensIn} from '../../machines/places/secrets.ts';
import {openable} from '../../tools/containment/own-state.ts';
import type {Config} from '../config/schema.ts';
import {trySecretPattern} from '../config/sections/bounds.ts';

export interface Masking {
  readonly text: (text: string) => string;
  readonly json: (value: JsonObject) => JsonObject;
}

export interface Redactor extends Masking {
  /** Ignores the values of workspace files: they are on the same disk already, and `undo` must back up those files. */
  readonly holdsSecret: (content: Buffer) => boolean;
  /** For a run in the workspace (absolute path): also masks the values of its files with credentials. */
  readonly within: (workspace: string) => RunRedactor;
}

export interface RunRedactor extends Omit<Redactor, 'within'> {
  /** As in {@link WorkspaceSecrets}. Resolves with each warning once. */
  readonly refresh: (how?: 'afterEffect') => Promise<readonly string[]>;
  /** Masks the texts of a run's input. Values of workspace files are not masked in its settings and paths. */
  readonly input: (value: JsonObject) => JsonObject;
}

/** Masks the secrets in `env` (see `secretsIn`), the API keys of the providers, and matches of the configured patterns. */
export function createRedactor(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Redactor {
  const named = new Set(Object.values(config.providers).map(({api_key_env: name}) => name));
  const values = secretsIn(env, (name) => named.has(name));
  const patterns = config.secrets.patterns.flatMap((pattern) => trySecretPattern(pattern) ?? []);
  const text = (source: string): string => {
    const withoutValues = values.reduce((rest, value) => rest.replaceAll(value, mask), source);
    return patterns.reduce((rest, pattern) => rest.replace(pattern, mask), withoutValues);
  };
  const isIdle = values.length === 0 && patterns.length === 0;
  const json = (value: JsonObject): JsonObject => (isIdle ? value : redactObject(value, text));
  const secretsOf = new Map<string, WorkspaceSecrets>();
  const holdsSecret = (content: Buffer): boolean => {
    if (isIdle) return false;
    const source = content.toString('utf8');
    return text(source) !== source;
  };
  return {
    text,
    json,
    holdsSecret,
    within: (workspace) => {
      const secrets = secretsOf.get(workspace) ?? createWorkspaceSecrets(workspace, mask);
      secretsOf.set(workspace, secrets);
      let reported: ReadonlySet<string> = new Set();
      const masked = (value: JsonObject) =>
        secrets.isIdle()
          ? json(value)
          : withWholeOpaque(value, json(redactObject(value, secrets.mask, isWord)));
      return {
        text: (source) => text(secrets.mask(source)),
        json: masked,
        input: (value) => ({...masked(value), ...json(placesIn(value))}),
        holdsSecret,
        refresh: async (how) => {
          const warnings = new Set(await secrets.refresh(how));
          const fresh = [...warnings.difference(reported)];
          reported = warnings;
          return fresh;
        },
      };
    },
  };
}

/** Without the opaque state of a reply if a part of it is masked: its provider would reject it. */
function withWholeOpaque({opaque}: JsonObject, masked: JsonObject): JsonObject {
  if (opaque === undefined || JSON.stringify(opaque) === JSON.stringify(masked['opaque']))
    return masked;
  const {opaque: _, ...rest} = masked;
  return rest;
}

/** Returns true for a value that must not be masked. */
type Exempt = (key: string, value: Json) => boolean;

const noValue: Exempt = () => false;

function redactIn(value: Json, text: (source: string) => string, isExempt: Exempt): Json {
  if (typeof value === 'string') return text(value);
  if (isJsonObject(value)) return redactObject(value, text, isExempt);
  return Array.isArray(value) ? value.map((item: Json) => redactIn(item, text, isExempt)) : value;
}

function redactObject(
  value: JsonObject,
  text: (source: string) => string,
  isExempt = noValue,
): JsonObject {
  const redacted = Object.entries(value).map(([key, item]): [string, Json] => [
    key,
    isExempt(key, item) ? item : redactIn(item, text, isExempt),
  ]);
  return Object.fromEntries(redacted);
}

const ownKeys: ReadonlySet<string> = new Set(
  'kind code tool name type verdict decision status purpose role confinement'.split(' '),
);

/** True for a word of the engine's protocol: a file that lists such a word as a secret must not break the run. */
function isWord(key: string, value: Json): boolean {
  return ownKeys.has(key) && typeof value === 'string' && /^[a-z][a-z_.]{0,39}$/i.test(value);
}

const placeKeys: ReadonlySet<string> = new Set(
  'id form session workspace settings limits config tooling'.split(' '),
);

function placesIn(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => placeKeys.has(key)));
}

// Masks the values of a workspace's files with credentials in all texts that models see. A value that was found once stays
// masked, also after its file was deleted.

interface WorkspaceSecrets {
  readonly mask: (text: string) => string;
  /** True while no value is masked. */
  readonly isIdle: () => boolean;
  /**
   * Reads new and changed files with credentials. `afterEffect`: a tool ran and may have made such a file, so the workspace
   * is searched again; without it, the search is repeated only as often as it costs little. Resolves with a warning for each
   * limit that was exceeded since the beginning, because secrets beyond it are not masked. Never rejects.
   */
  readonly refresh: (how?: 'afterEffect') => Promise<ReadonlySet<string>>;
}

const limits = {files: 200, kilobytesAFile: 256, encodings: 16_000};
/** The pause after a search for files: the longer of `restMs` and `restTimes` times the duration of that search. */
const restMs = 1_000;
const restTimes = 20;

/** `workspace` is an absolute path; empty: none. A value that is part of this path is not masked. */
export function createWorkspaceSecrets(workspace: string, mark: string): WorkspaceSecrets {
  const stamps = new Map<string, string>();
  const needles = new Set<string>();
  const warnings = new Set<string>();
  let masking: (text: string) => string = String;
  let files: readonly string[] = [];
  let nextSearch = 0;
  let refreshing = Promise.resolve();

  const search = async (): Promise<void> => {
    if (workspace === '') return;
    const before = performance.now();
    const found = await credentialFilesIn(workspace);
    ({files} = found);
    if (found.isPart)
      warnings.add(
        `the folder is too large to find all files with credentials: only the secrets in ${files.length} of them are masked`,
      );
    const after = performance.now();
    nextSearch = after + Math.max(restMs, restTimes * (after - before));
  };
  const take = (path: string, text: string): void => {
    const values = credentialValues(path, text).filter((value) => !workspace.includes(value));
    for (const value of values) {
      if (needles.size >= limits.encodings) {
        warnings.add(
          'the files with credentials have too many secrets: not all of them are masked',
        );
        return;
      }
      for (const needle of encodingsOf(value)) needles.add(needle);
    }
  };
  const look = async (how?: 'afterEffect'): Promise<void> => {
    if (how === 'afterEffect' || performance.now() >= nextSearch) await search();
    const changed = await Promise.all(files.map(async (path) => await changedAt(path, stamps)));
    for (const {path, text, isPart} of changed.flat()) {
      take(path, text);
      if (isPart)
        warnings.add(
          `${relative(workspace, path)} is too large: only the secrets in its first ${limits.kilobytesAFile} KB are masked`,
        );
    }
    if (changed.flat().length > 0 && needles.size > 0) masking = createMask([...needles], mark);
  };
  return {
    mask: (text) => masking(text),
    isIdle: () => needles.size === 0,
    refresh: async (how) => {
      refreshing = refreshing.then(async () => await look(how));
      await refreshing;
      return warnings;
    },
  };
}

/** Absolute paths; a credential folder is replaced by the files below it. `isPart`: there may be more. */
async function credentialFilesIn(workspace: string) {
  const {nestedIn} = await import('../../tools/containment/guarded.ts');
  const {credentials, isPart} = await nestedIn(workspace);
  const found = (await Promise.all(credentials.slice(0, limits.files).map(filesAt))).flat();
  const most = Math.max(credentials.length, found.length);
  return {files: found.slice(0, limits.files), isPart: isPart || most > limits.files};
}

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(openable(path), {recursive: true, withFileTypes: true});
    return entries
      .filter((entry) => entry.isFile())
      .map(({parentPath, name}) => join(parentPath, name));
  } catch {
    return [path];
  }
}

interface Changed {
  readonly path: string;
  /** The beginning of the file. */
  readonly text: string;
  readonly isPart: boolean;
}

/** Empty for a file that is unchanged, deleted or binary. */
async function changedAt(path: string, stamps: Map<string, string>): Promise<readonly Changed[]> {
  try {
    const stats = await stat(path, {bigint: true});
    const {dev, ino, size, mtimeNs, ctimeNs} = stats;
    const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(':');
    if (!stats.isFile() || stamps.get(path) === stamp) return [];
    const text = await beginningOfFile(path);
    stamps.set(path, stamp);
    return text.includes('\0') ? [] : [{path, text, isPart: size > limits.kilobytesAFile * 1024}];
  } catch {
    return [];
  }
}

async function beginningOfFile(path: string): Promise<string> {
  const file = await open(openable(path), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const {bytesRead, buffer} = await file.read(Buffer.alloc(limits.kilobytesAFile * 1024), 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

// Extracts the secrets from a file with credentials: dotenv, INI, TOML, YAML, JSON, `.netrc`, `.pgpass` and similar.

/** Shorter values are not secrets. In characters. */
const minLength = 8;
/** Shorter lines of a value are not masked by themselves. */
const minLine = 16;

/** Values that their key names a secret, passwords in URLs, tokens of known shapes, and the lines of private keys. */
export function credentialValues(path: string, text: string): readonly string[] {
  const plain = text.replaceAll('\r\n', '\n');
  const named = settingsIn(posix.basename(path), plain).filter(({key}) => isSecretName(key));
  const keys = Array.from(plain.matchAll(privateKey), ([key]) => key);
  const values = [
    ...named.map(({value}) => value.trim()),
    ...[...named.map(({value}) => value), ...keys].flatMap(longLines),
    ...passwordsIn(plain),
    ...tokensIn(plain),
  ];
  return [...new Set(values)].filter((value) => value.length >= minLength && !isOrdinary(value));
}

/** Also in a JSON string. A key without an end continues to the end of the file. */
const privateKey = /-----BEGIN [\w ]{0,60}PRIVATE KEY[^]*?(?:-----END [\w ]{1,60}-----|$(?![^]))/g;

function longLines(value: string): string[] {
  return value
    .split(/\n|\\n|-----[\w ]+-----/)
    .map((line) => line.trim())
    .filter((line) => line.length >= minLine);
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

function settingsIn(name: string, text: string): Setting[] {
  const patterns = byPosition.flatMap(([file, pattern]) => (file.test(name) ? [pattern] : []));
  const placed = patterns
    .flatMap((pattern) => Array.from(text.matchAll(pattern), ([, value = '']) => value))
    .flatMap((value) => [value, unescaped(value)])
    .map((value) => ({key: 'password', value}));
  return [...placed, ...(settingsOfJson(text) ?? settingsOfLines(text))];
}

/** Formats in which the position of a value shows that it is a secret; in `.pgpass`, `\` escapes a colon. */
const byPosition: readonly (readonly [file: RegExp, value: RegExp])[] = [
  [/^[._]netrc$/, /(?<!\S)(?:password|account)\s+(\S+)/g],
  [/^\.pgpass$/, /^(?!#)(?:(?:\\.|[^:\\\n])*:){4}(.*)$/gm],
  [/^\.htpasswd$/, /^(?!#)[^:\n]*:(.*)$/gm],
  [/^\.vault-token$/, /^\s*([^]*?)\s*$/g],
];

/** An item of an array has the key of the array. Undefined for a text that is not JSON. */
function settingsOfJson(text: string): Setting[] | undefined {
  const settings: Setting[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      for (const item of [value].flat())
        if (typeof item === 'string' || typeof item === 'number')
          settings.push({key, value: `${item}`});
      return value;
    });
    return settings;
  } catch {
    return undefined;
  }
}

/** `KEY=value`, `export KEY="value"`, `key: value`, `"key": "value",`, `//host/:_authToken=value`. */
const setting =
  /^[ \t]*(?:export[ \t]+|-[ \t]+)?["']?([^\s"'#={}[\]][^\s"'=]*?)["']?[ \t]*(?:=>?|:(?=[ \t]|$))[ \t]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|`([^`]*)`|([^\n]*))/gm;

/** A quotation mark without its partner may swallow settings, so they are also read within a value of several lines. */
function settingsOfLines(text: string): Setting[] {
  return [...text.matchAll(setting)].flatMap(([, key = '', double, single, back, bare = '']) => {
    const quoted = double ?? single ?? back;
    const values =
      quoted === undefined ? [withoutComment(bare), bare] : [quoted, unescaped(quoted)];
    const [, ...more] = (quoted ?? '').split('\n');
    return values.map((value) => ({key, value})).concat(settingsOfLines(more.join('\n')));
  });
}

function withoutComment(value: string): string {
  return value
    .replace(/(?:^|\s)[#;].*$/, '')
    .trim()
    .replace(/[,;]$/, '')
    .replace(/^["'`]/, '');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, '$1');
}

/** Suffixes of names whose value describes a secret but is not one: `TOKEN_TTL`, `SECRET_NAME`. */
const about =
  /(?:FILE|PATH|DIR|FOLDER|SOCK|TOKENS|TYPE|TTL|EXPIR\w*|SECONDS|MINUTES|HOURS|DAYS|_MS|LENGTH|SIZE|LIMIT|COUNT|ALG|ALGORITHM|ISSUER|AUDIENCE|HEADER|NAME|ENABLED|ENDPOINT|HOST|PORT|REGION|VERSION|FORMAT|PREFIX)$/;

/** `apiKey`, `smtp.pass` and `_auth` are read like `API_KEY`, `SMTP_PASS` and `_AUTH`. */
function isSecretName(key: string): boolean {
  const name = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toUpperCase();
  return !about.test(name) && (namesSecret(name) || /(?:^|_)(?:AUTH|PASS|PWD|JWT|PIN)$/.test(name));
}

/** `scheme://user:password@host`, as it is written and decoded. */
function passwordsIn(text: string): string[] {
  const addresses = text.matchAll(
    /\b[a-z][\w+.-]{0,40}:\/\/[^\s:@/'"]{0,200}:([^\s@/'"]{1,400})@/gi,
  );
  return [...addresses].flatMap(([, value = '']) => [value, decoded(value)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Placeholders, well-known settings, dates, and plain URLs and paths: masking them would mask half a project. */
const ordinary: readonly RegExp[] = [
  /^(?:change[-_ ]?(?:me|this|it)|pass(?:word|wd|phrase)|postgres(?:ql)?|rabbitmq|minioadmin|localhost|(?:super|top|my)[-_]?secret|secret[-_]?key|(?:your|my|some|insert|replace)[-_ ][a-z_ -]+|<[\w -]+>|\$\{?\w+\}?|(.)\1+|development|production|(?:un)?defined|disabled|required|optional|examples?|testtest|test[-_](?:key|secret|token|password))$/i,
  /^\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]*)?$/,
  /^[a-z][\w+.-]*:\/\/[^\s@?#]*$/i,
  // Names of mixed case are not exempt, because a key in base64 may begin with a slash.
  /^(?:~|\.{1,2})?(?:\/[A-Z]?[a-z\d_.@-]*)+$/,
];

function isOrdinary(value: string): boolean {
  return ordinary.some((pattern) => pattern.test(value));
}

// Masks many values in a text, in the forms in which programs print them.

const tableSize = 65_536;

/**
 * Returns a function that replaces every needle by `mark`; overlapping needles are replaced together by one `mark`. Each needle
 * must have at least two characters. The search is that of Wu and Manber, because a regular expression of 1,000 alternatives takes
 * eight times as long: a table of pairs of characters gives how far it may skip.
 */
export function createMask(needles: readonly string[], mark: string): (text: string) => string {
  const window = Math.min(...needles.map(({length}) => length));
  const skips = new Uint32Array(tableSize).fill(window - 1);
  const byEnd = new Map<number, string[]>();
  for (const needle of needles) {
    for (let at = 1; at < window; at += 1) {
      const pair = pairAt(needle, at);
      skips[pair] = Math.min(skips[pair] ?? 0, window - 1 - at);
    }
    const last = pairAt(needle, window - 1);
    byEnd.set(last, [...(byEnd.get(last) ?? []), needle]);
  }
  return (text) => {
    const parts: string[] = [];
    let kept = 0;
    for (let at = window - 1; at < text.length; at += Math.max(1, skips[pairAt(text, at)] ?? 1)) {
      if (skips[pairAt(text, at)] !== 0) continue;
      const start = at - window + 1;
      const end = start + lengthAt(text, start, byEnd.get(pairAt(text, at)) ?? []);
      if (end === start) continue;
      if (start >= kept || parts.length === 0) parts.push(text.slice(kept, start), mark);
      kept = Math.max(kept, end);
    }
    return [...parts, text.slice(kept)].join('');
  };
}

/** The table index of the character at `at` and the one before it. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 251 + text.charCodeAt(at)) & (tableSize - 1);
}

/** The length of the longest needle that begins at `start`; 0 without one. */
function lengthAt(text: string, start: number, needles: readonly string[]): number {
  return Math.max(
    0,
    ...needles.filter((one) => text.startsWith(one, start)).map((one) => one.length),
  );
}

/** Shorter texts occur by chance. In characters. */
const minEncodedLength = 8;

/** The value unchanged, escaped for JSON and for URLs, and in base64, alone or within a larger text. */
function encodingsOf(value: string): string[] {
  const inUrl = encodeURIComponent(value.toWellFormed());
  const encodings = [
    value,
    JSON.stringify(value).slice(1, -1),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    ...inBase64(value),
  ];
  return [...new Set(encodings)].filter(({length}) => length >= minEncodedLength);
}

/**
 * Base64 encodes groups of three bytes, so within a larger text a value starts at one of three offsets. Characters that
 * also encode bits of neighbouring bytes are left out.
 */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  const aligned = [0, 1, 2].map((before) => {
    const bits = (before + bytes.length) * 8;
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
  });
  return aligned.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
