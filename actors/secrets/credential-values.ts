/** Extracts the secrets from a file with credentials: dotenv, INI, TOML, YAML, JSON, `.netrc`, `.pgpass` and similar. */

import {posix} from 'node:path';

import {namesSecret, tokensIn} from '../../machines/places/secrets.ts';

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
