/**
 * The configuration of a run: defaults < user file < project file < environment < flags. Every value keeps its source.
 */

import {join, resolve} from 'node:path';

import {
  type Config,
  configSchema,
  defaultConfig,
  type KeyKind,
  type KeyPath,
  keyText,
  kindOf,
  knownKeys,
  rowAt,
  schemaAt,
} from '../../actors/config/schema.ts';
import {keyBindings} from '../../actors/config/sections/keys.ts';
import type {PanelSize} from '../../actors/config/sections/row.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {type Message, t} from '../../machines/message.ts';
import type {Override} from '../line/command.ts';
import {meant} from '../line/usage-error.ts';
import type {Environment} from '../terminal.ts';
import {withAllowed} from './allowed.ts';
import {type Explained, explainLayers} from './explain.ts';
import {
  checkEntry,
  type Layer,
  type LayerEntry,
  parseConfigText,
  readConfigFile,
  toNested,
} from './file.ts';
import {type FolderContent, isTrusted, readFolder} from './folder-trust.ts';
import {allowedFile, mcpFileName, projectFileName, userFile} from './paths.ts';

export interface LoadOptions {
  /** The working folder, in which `quorate.toml` is searched. */
  readonly cwd: string;
  readonly env: Environment;
  readonly overrides?: readonly Override[];
  /** The files of the working folder, if they were read before. */
  readonly content?: FolderContent;
}

export interface ConfigFile {
  readonly path: string;
  readonly found: boolean;
  /** Always true for a user file; for a project file, when its content is trusted. */
  readonly trusted: boolean;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Dotted keys that the user has set, with their sources, as `resolveConfig` takes them. */
  readonly named: ReadonlyMap<string, string>;
  readonly warnings: readonly Message[];
  readonly files: {readonly user: ConfigFile; readonly project: ConfigFile};
  /** The settings of the project file that need trust, trusted or not. */
  readonly wanted: Layer;
  /** Every key with its value and its source; values that may be secrets are counted, not shown. */
  readonly explain: () => readonly Explained[];
}

/** Throws AppError `config` for any invalid configuration: the message names file, line, column, key, value and remedy. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const {env, overrides = []} = options;
  const file = await readLayer(userFile(env));
  const allowed = await readLayer(allowedFile(env));
  const user = {...file, layer: withAllowed(file.layer, allowed.layer)};
  const environment = readEnvironment(env);
  const flags = overrides.map(fromOverride);
  const {content = await readFolder(resolve(options.cwd))} = options;
  const own = [...user.layer, ...environment.layer, ...flags];
  const project = await readProject(content, env, {
    before: assemble(user.layer),
    withoutProject: assemble(own),
  });
  const layers = [...user.layer, ...project.layer, ...environment.layer, ...flags];
  return {
    config: assemble(layers),
    named: new Map(layers.map(({path, source}) => [settingKey(path), source])),
    warnings: [...project.warnings, ...environment.warnings],
    files: {user: user.file, project: project.file},
    wanted: project.wanted,
    explain: () => explainLayers(layers),
  };
}

/** `agent.hil_mode`; for an entry of a table the table: `quorum.weights`, `providers`. */
function settingKey(path: readonly string[]): string {
  const key = keyText(path.slice(0, 2));
  return knownKeys.includes(key) ? key : (path[0] ?? '');
}

function fromOverride({key, value, source}: Override): LayerEntry {
  const entry = {path: key.split('.'), value, source};
  checkEntry(entry);
  return entry;
}

interface ReadLayer {
  readonly layer: Layer;
  readonly file: ConfigFile;
}

async function readLayer(path: string): Promise<ReadLayer> {
  const file = await readConfigFile(path);
  return {
    layer: file ? await parseConfigText(path, file.text) : [],
    file: {path, found: file !== undefined, trusted: file !== undefined},
  };
}

interface Baselines {
  /** The configuration that the project file changes. */
  readonly before: Config;
  /** The user's configuration without the project file. */
  readonly withoutProject: Config;
}

interface ReadProject extends ReadLayer {
  readonly wanted: Layer;
  readonly warnings: readonly Message[];
}

async function readProject(
  content: FolderContent,
  env: Environment,
  baselines: Baselines,
): Promise<ReadProject> {
  const {folder, project, mcp, mcpProblem} = content;
  const path = join(folder, projectFileName);
  const layer = project ? await parseConfigText(projectFileName, project.text) : [];
  const tightens = tightening(baselines);
  const wanted = layer.filter((entry) => !tightens(entry));
  const trusted = await isTrusted(content, env);
  const file = {path, found: project !== undefined, trusted: trusted && project !== undefined};
  if (trusted) return {layer, file, wanted, warnings: []};
  const ignored = [
    ...wanted.map(({path: key, source}) => `${source}: ${keyText(key)}`),
    ...(mcp || mcpProblem ? [mcpFileName] : []),
  ];
  return {
    layer: layer.filter(tightens),
    file,
    wanted,
    warnings: ignored.length === 0 ? [] : [ignoredText(ignored)],
  };
}

/** True for an entry that an untrusted file may set. */
function tightening({before, withoutProject}: Baselines): (entry: LayerEntry) => boolean {
  const panel = {
    seats: withoutProject.agent.review_models.length,
    weighted: Object.keys(withoutProject.quorum.weights).length > 0,
  };
  return ({path, value}) => mayTighten(path, value, valueAt(before, path), panel);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined,
    value,
  );
}

/** Entries have been checked one by one; the remaining errors are keys of the screen that clash, and a table without a required entry. */
function assemble(entries: Layer): Config {
  if (entries.length === 0) return defaultConfig();
  const parsed = configSchema.safeParse(toNested(entries));
  if (parsed.success) {
    keyBindings(parsed.data.keys);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  const table = path.slice(0, -1);
  const near = entries.find((entry) => table.every((part, index) => entry.path[index] === part));
  throw new AppError(
    'config',
    t`${near?.source ?? t`configuration`}: ${keyText(table)} needs ${path.at(-1) ?? t`a value`}`,
  );
}

// `QUORATE_<SECTION>_<KEY>` variables as a layer.

const prefix = 'QUORATE_';

/** Variables of the program that are not configuration keys. */
const otherVariables: ReadonlySet<string> = new Set([
  'QUORATE_HOME',
  'QUORATE_LOG',
  'QUORATE_OWNER_TOKEN',
]);

export interface EnvironmentLayer {
  readonly layer: Layer;
  readonly warnings: readonly Message[];
}

/** An empty variable counts as absent. Throws AppError `config` for a value that its key does not take. */
function readEnvironment(env: Environment): EnvironmentLayer {
  const given = Object.entries(env).filter(
    ([name, value]) => name.startsWith(prefix) && !otherVariables.has(name) && value,
  );
  const layer = given.flatMap(([source, text = '']) => {
    const path = settable.get(source);
    return path ? [{path, value: fromText(path, text), source}] : [];
  });
  for (const entry of layer) checkEntry(entry);
  const warnings = given
    .filter(([name]) => !settable.has(name) && looksLikeKey(name))
    .map(([name]) => setsNothing(name));
  return {layer, warnings};
}

function setsNothing(name: string): Message {
  const near = meant(name, settable.keys());
  return t`${name} is ignored: it sets nothing${near}`;
}

/** Keys by variable. Tables of models and of providers, and rules, can be set only in files. */
const settable: ReadonlyMap<string, KeyPath> = new Map(
  knownKeys
    .map((key) => key.split('.'))
    .filter((path) => !['table', 'tables'].includes(kindAt(path)))
    .map((path) => [prefix + path.join('_').toUpperCase(), path]),
);

function kindAt(path: KeyPath): KeyKind {
  const schema = schemaAt(path);
  return schema ? kindOf(schema) : 'table';
}

/** Text that can't be converted to the key's type stays text, so that the check reports it. */
function fromText(path: KeyPath, text: string): unknown {
  const kind = kindAt(path);
  const value = text.trim();
  if (kind === 'list') return value.split(',').map((item) => item.trim());
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (kind === 'switch' && (value === 'true' || value === 'false')) return value === 'true';
  return kind === 'text' ? text : value;
}

function looksLikeKey(name: string): boolean {
  const [section = ''] = pathOf(name);
  return schemaAt([section]) !== undefined || nearest(name, settable.keys()) !== undefined;
}

/** The path for a variable, if its section is one word. */
function pathOf(name: string): KeyPath {
  const [section = '', ...key] = name.slice(prefix.length).toLowerCase().split('_');
  return [section, key.join('_')];
}

// Limits an untrusted project file to stricter settings: the author of a project is not necessarily the person who runs
// Quorate in it.

/** True when an untrusted file may set the key to `next`, given the user's value `now`. */
function mayTighten(path: KeyPath, next: unknown, now: unknown, panel: PanelSize): boolean {
  if (JSON.stringify(next) === JSON.stringify(now)) return true;
  return rowAt(path)?.stricter?.(next, now, panel) ?? false;
}

// The one warning on all that an untrusted folder does not get.

const maxNamed = 4;

/** `ignored`: settings with their places, and files; at least one. */
function ignoredText(ignored: readonly string[]): Message {
  const more = ignored.length - maxNamed;
  const names = `${ignored.slice(0, maxNamed).join(', ')}${more > 0 ? ` (+${more})` : ''}`;
  return ignored.length === 1
    ? t`${names} is ignored: ${whyIgnored}`
    : t`${names} are ignored: ${whyIgnored}`;
}

const whyIgnored = t`until you trust this folder, its settings may only tighten; see what it wants: quorate config --trust --show`;
