/**
 * The configuration of a run: defaults < user file < project file < environment < flags. Every value keeps its source.
 */

import {join, resolve} from 'node:path';

import {
  type Config,
  configSchema,
  defaultConfig,
  keyText,
  knownKeys,
} from '../../actors/config/schema.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Message} from '../../machines/message.ts';
import type {Override} from '../line/option.ts';
import type {Environment} from '../terminal.ts';
import {withAllowed} from './allowed.ts';
import {readEnvironment} from './environment.ts';
import {explainLayers, type Explained} from './explain.ts';
import {readConfigFile} from './file.ts';
import {type FolderContent, isTrusted, readFolder} from './folder-trust.ts';
import {checkEntry, toNested, type Layer, type LayerEntry} from './layer.ts';
import {allowedFile, mcpFileName, projectFileName, userFile} from './paths.ts';
import {mayTighten} from './tighten.ts';
import {parseConfigText} from './toml.ts';
import {ignoredText} from './untrusted-warning.ts';

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

/** Entries have been checked one by one; the remaining possible error is a table without a required entry. */
function assemble(entries: Layer): Config {
  if (entries.length === 0) return defaultConfig();
  const parsed = configSchema.safeParse(toNested(entries));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  const table = path.slice(0, -1);
  const near = entries.find((entry) => table.every((part, index) => entry.path[index] === part));
  throw new AppError(
    'config',
    `${near?.source ?? 'configuration'}: ${keyText(table)} needs ${path.at(-1) ?? 'a value'}`,
  );
}
