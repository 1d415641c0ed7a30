/** Extracts the secrets from a file with credentials: dotenv, INI, TOML, YAML, JSON, `.netrc`, `.pgpass` and similar. */

import {posix} from 'node:path';

import {isJsonObject} from '../../machines/domain/json.ts';
import {namesSecret} from '../../machines/places/secrets.ts';

export interface CredentialValues {
  /** Values whose key names a secret, or that are secret by the format of the file. */
  readonly named: readonly string[];
  /** Values that look secret only by their characters. */
  readonly suspected: readonly string[];
  /** Private keys, whole and by line. They are encoded already, so they are masked only as they are. */
  readonly keyLines: readonly string[];
}

/** Shorter values are not secrets. In characters. */
const minLength = 8;
const minKeyLine = 16;

export function credentialValues(path: string, text: string): CredentialValues {
  const plain = text.replaceAll('\r\n', '\n');
  const settings = settingsIn(posix.basename(path), plain);
  const values = settings.flatMap(({key, value}) =>
    partsOf(value).map((part) => ({isNamed: isSecretName(key), part})),
  );
  const secrets = values.filter(
    ({part, isNamed}) =>
      part.length >= minLength && (isNamed ? !isOrdinary(part) : looksRandom(part)),
  );
  const passwords = passwordsIn(plain).filter((value) => value.length >= minLength);
  const keys = [plain, ...settings.map(({value}) => value)].flatMap(privateKeysIn);
  return {
    named: unique([
      ...secrets.filter(({isNamed}) => isNamed).map(({part}) => part),
      ...passwords.filter((value) => !isOrdinary(value)),
    ]),
    suspected: unique(secrets.filter(({isNamed}) => !isNamed).map(({part}) => part)),
    keyLines: unique([...keys, ...keys.flatMap(keyLinesOf)]),
  };
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

function settingsIn(name: string, text: string): Setting[] {
  const rest = text.replaceAll(armoured, '');
  const json = tryParse(text);
  if (typeof json === 'object' && json !== null) return settingsOfJson('', json);
  return [...ownSettings(name, rest), ...settingsOfLines(rest), ...bareTokens(rest)];
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function settingsOfJson(key: string, value: unknown): Setting[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => settingsOfJson(key, item));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, item]) => settingsOfJson(name, item));
  }
  return typeof value === 'string' || typeof value === 'number' ? [{key, value: `${value}`}] : [];
}

/** Formats in which the position of a value shows that it is a secret; in `.pgpass`, `\` escapes a colon. */
const byPosition: readonly (readonly [file: RegExp, value: RegExp])[] = [
  [/^[._]netrc$/, /(?<!\S)(?:password|account)\s+(\S+)/g],
  [/^\.pgpass$/, /^(?!#)(?:(?:\\.|[^:\\\n])*:){4}(.*)$/gm],
  [/^\.htpasswd$/, /^(?!#)[^:\n]*:(.*)$/gm],
  [/^\.vault-token$/, /^\s*([^]*?)\s*$/g],
];

function ownSettings(name: string, text: string): Setting[] {
  const patterns = byPosition.flatMap(([file, value]) => (file.test(name) ? [value] : []));
  return patterns
    .flatMap((pattern) => Array.from(text.matchAll(pattern), ([, value = '']) => value))
    .flatMap((value) => [
      {key: 'password', value},
      {key: 'password', value: value.replaceAll(/\\(.)/g, '$1')},
    ]);
}

/** `KEY=value`, `export KEY="value"`, `key: value`, `"key": "value",`, `//host/:_authToken=value`. */
const setting =
  /^[ \t]*(?:export[ \t]+|-[ \t]+)?["']?([^\s"'#={}[\]][^\s"'=]*?)["']?[ \t]*(?:=>?|:(?=[ \t]|$))[ \t]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|`([^`]*)`|([^\n]*))/gm;

function settingsOfLines(text: string): Setting[] {
  return [...text.matchAll(setting)].flatMap(([, key = '', double, single, back, bare = '']) => {
    const quoted = double ?? single ?? back;
    if (quoted === undefined)
      return [
        {key, value: withoutComment(bare)},
        {key, value: bare.trim()},
      ];
    const inner = quoted.includes('\n')
      ? settingsOfLines(quoted.slice(quoted.indexOf('\n') + 1))
      : [];
    return [
      {key, value: quoted},
      {key, value: unescaped(quoted)},
    ].concat(inner);
  });
}

function withoutComment(value: string): string {
  return value
    .replace(/(?:^|\s)[#;].*$/, '')
    .trim()
    .replace(/[,;]$/, '')
    .replace(/^["'`]/, '');
}

const escapes: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'};

function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, (_, char: string) => escapes[char] ?? char);
}

/** Lines of one word: a file may hold just a token. */
function bareTokens(text: string): Setting[] {
  const tokens = text.matchAll(/^[ \t]*([^\s=#:]+)[ \t]*$/gm);
  return [...tokens].map(([, value = '']) => ({key: '', value}));
}

/** The value; of a value with several lines, also each line that looks random. */
function partsOf(value: string): string[] {
  const whole = value.trim();
  const lines = whole.includes('\n') ? whole.split('\n').map((line) => line.trim()) : [];
  return [whole, ...lines.filter(looksRandom)];
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

/** `scheme://user:password@host` */
function passwordsIn(text: string): string[] {
  return [
    ...text.matchAll(/\b[a-z][\w+.-]{0,40}:\/\/[^\s:@/'"]{0,200}:([^\s@/'"]{1,400})@/gi),
  ].flatMap(([, value = '']) => [value, decoded(value)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const armoured = /-----BEGIN [\w ]{1,60}-----[^]*?(?:-----END [\w ]{1,60}-----|$(?![^]))/g;

function privateKeysIn(text: string): string[] {
  return [...text.matchAll(armoured)].map(([block]) => block).filter(isPrivate);
}

function isPrivate(block: string): boolean {
  return /^-----BEGIN [\w ]*PRIVATE KEY/.test(block);
}

function keyLinesOf(block: string): string[] {
  return block
    .split(/\n|\\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= minKeyLine && !line.startsWith('-----'));
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Placeholders for secrets, and well-known settings: masking them would mask half a project. */
const placeholder =
  /^(?:change[-_ ]?(?:me|this|it)|pass(?:word|wd|phrase)|postgres(?:ql)?|rabbitmq|minioadmin|localhost|(?:super|top|my)[-_]?secret|secret[-_]?key|(?:your|my|some|insert|replace)[-_ ][a-z_ -]+|<[\w -]+>|\$\{?\w+\}?|(.)\1+|development|production|(?:un)?defined|disabled|required|optional|examples?|testtest|test[-_](?:key|secret|token|password))$/i;

const date = /^\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]*)?$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const address = /^[a-z][\w+.-]*:\/\//i;
const folders = /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?$/;

/** True for a placeholder, a well-known setting, a date, and a path or URL without a random part. */
function isOrdinary(value: string): boolean {
  if (placeholder.test(value) || date.test(value)) return true;
  return (address.test(value) || folders.test(value)) && !looksRandom(value);
}

const separators = /[\s/:@.,;=?&|_-]+/;

/** True for a UUID, and for a value in which a part between separators looks neither like words nor like a number. */
function looksRandom(value: string): boolean {
  if (placeholder.test(value) || date.test(value)) return false;
  if (uuid.test(value)) return true;
  return value.split(separators).some(isRandomPart);
}

const minMixed = 8;
const minLong = 16;

/** True for three of lower case, upper case, digits and symbols; for a long part also when letters and digits alternate. */
function isRandomPart(part: string): boolean {
  if (part.length < minMixed || isWords(part)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((one) => one.test(part)).length;
  if (classes >= 3) return true;
  return (
    part.length >= minLong && classes >= 2 && countOf(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g, part) >= 3
  );
}

/** `MyProject2`, `Windows11` */
function isWords(part: string): boolean {
  const [, letters] = /^\d{0,4}([A-Za-z]+)\d{0,4}$/.exec(part) ?? [];
  return letters !== undefined && countOf(/[a-z](?=[A-Z])/g, letters) <= letters.length / 5;
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
