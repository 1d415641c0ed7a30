/** One layer of the configuration: checked keys with values and sources; and a configuration file, read as untrusted input. */

import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';

import {
  type KeyPath,
  keyProblem,
  kindOf,
  rowAt,
  schemaAt,
  unknownKey,
} from '../../actors/config/schema.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type Message, t} from '../../machines/message.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {createTomlLocator} from '../../tools/places/toml.ts';

export interface LayerEntry {
  readonly path: KeyPath;
  readonly value: unknown;
  /** For people: `quorate.toml:12:3`, `QUORATE_AGENT_HIL_MODE`, `--hil`. */
  readonly source: string;
}

export type Layer = readonly LayerEntry[];

/** Flattens nested tables into entries. Throws AppError `config` at the first invalid key or value. */
function toLayer(value: unknown, sourceOf: (path: KeyPath) => string): Layer {
  return flatten([], value, sourceOf);
}

function flatten(path: KeyPath, value: unknown, sourceOf: (path: KeyPath) => string): LayerEntry[] {
  const schema = schemaAt(path);
  if (!schema) throw new AppError('config', t`${sourceOf(path)}: ${unknownKey(path)}`);
  const isWhole = rowAt(path)?.isWhole === true;
  if (isPlainTable(value) && kindOf(schema) === 'table' && !isWhole) {
    return Object.entries(value).flatMap(([key, inner]) =>
      flatten([...path, key], inner, sourceOf),
    );
  }
  const entry = {path, value, source: sourceOf(path)};
  checkEntry(entry, sourceOf);
  return [entry];
}

/** Throws AppError `config` for a value that the entry's key does not take. `sourceOf`: the source of a part of it. */
export function checkEntry(
  {path, value, source}: LayerEntry,
  sourceOf: (path: KeyPath) => string = () => source,
): void {
  const problem = keyProblem(path, value);
  if (problem) throw new AppError('config', t`${sourceOf(problem.path)}: ${problem.text}`);
}

function isPlainTable(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** The nested form of entries; later ones win. */
export function toNested(entries: Layer): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const {path, value} of entries) set(root, path, value);
  return root;
}

function set(table: Record<string, unknown>, path: KeyPath, value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    table[key] = value;
    return;
  }
  const inner = Object.hasOwn(table, key) ? table[key] : undefined;
  const next = isPlainTable(inner) ? inner : {};
  table[key] = next;
  set(next, rest, value);
}

// Reads a configuration file as untrusted input: a regular file, of bounded size, in plain UTF-8.

const maxBytes = 256 * 1024;

export interface ConfigText {
  readonly text: string;
  /** Of the bytes, hex. */
  readonly sha256: string;
}

/**
 * Undefined when the file does not exist. Throws AppError `config` for anything other than a readable regular file of UTF-8
 * text; the message never quotes its content.
 */
export async function readConfigFile(path: string): Promise<ConfigText | undefined> {
  const file = await openPlain(path);
  if (!file) return undefined;
  try {
    const bytes = await readBounded(file, path);
    return {text: decode(bytes, path), sha256: createHash('sha256').update(bytes).digest('hex')};
  } finally {
    await file.close();
  }
}

async function openPlain(path: string): Promise<FileHandle | undefined> {
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return await open(openable(path), flags);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK') throw notRegular(path, t`a symbolic link`, error);
    if (code === 'ENXIO') throw notRegular(path, t`a socket`, error);
    throw unreadable(path, error);
  }
}

async function readBounded(file: FileHandle, path: string): Promise<Buffer> {
  const found = await file.stat();
  if (!found.isFile()) throw notRegular(path, found.isDirectory() ? t`a folder` : t`a device`);
  const chunks: Buffer[] = [];
  try {
    const stream = file.createReadStream({end: maxBytes, autoClose: false});
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  } catch (error) {
    throw unreadable(path, error);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length <= maxBytes) return bytes;
  throw new AppError(
    'config',
    t`${path} is larger than ${maxBytes / 1024} KiB (config_too_large); no configuration needs that much`,
  );
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch (cause) {
    throw new AppError('config', t`${path} is not UTF-8 text; save it as UTF-8`, {cause});
  }
}

function notRegular(path: string, what: Message, cause?: unknown): AppError {
  return new AppError(
    'config',
    t`${path} is ${what}, not a regular file (not_regular); put the file itself there or remove it`,
    {cause},
  );
}

function unreadable(path: string, cause: unknown): AppError {
  const code = codeOf(cause);
  return new AppError('config', t`${path} can't be read (${code}); check its permissions`, {cause});
}

/** The system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

// Parses a configuration file into a layer.

/**
 * `name` is the file's name in messages. Throws AppError `config` with line and column for invalid TOML, and for unknown keys
 * and invalid values.
 */
export async function parseConfigText(name: string, original: string): Promise<Layer> {
  const text = original.replace(/^\uFEFF/, '');
  refuseHidden(name, text);
  const {parse, TomlError} = await import('smol-toml');
  try {
    const document = parse(text, {maxDepth: 64});
    const locate = createTomlLocator(text);
    return toLayer(document, (path) => {
      const {line, column} = locate(path);
      return `${name}:${line}:${column}`;
    });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    const place = `${name}:${error.line}:${error.column}`;
    throw new AppError('config', t`${place}: invalid TOML: ${reason}`, {cause: error});
  }
}

/** Characters that make a text look different from its content: a file that holds them, not escaped, is refused. */
export const hiddenCharacters = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

function refuseHidden(name: string, text: string): void {
  const [found] = text.matchAll(hiddenCharacters);
  if (!found) return;
  const before = text.slice(0, found.index).split('\n');
  const place = `${name}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new AppError(
    'config',
    t`${place}: the character U+${code} changes the direction of text and hides what is written; remove it`,
  );
}
