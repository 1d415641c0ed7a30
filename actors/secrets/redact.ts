/** Known secrets are replaced before an outcome is delivered: they reach no machine, no journal, no model. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {mask, secretsIn} from '../../machines/places/secrets.ts';
import type {Config} from '../config/schema.ts';
import {trySecretPattern} from '../config/secret-pattern.ts';
import {createWorkspaceSecrets, type WorkspaceSecrets} from './workspace-secrets.ts';

export interface Masking {
  readonly text: (text: string) => string;
  readonly json: (value: JsonObject) => JsonObject;
}

export interface Redactor extends Masking {
  /** Values of a workspace don't count: they are on the same disk already, and `undo` keeps the files that hold them. */
  readonly holdsSecret: (content: Buffer) => boolean;
  /** For a run in the workspace (absolute): the values of its files with credentials are masked, too. */
  readonly within: (workspace: string) => RunRedactor;
}

export interface RunRedactor extends Omit<Redactor, 'within'>, Pick<WorkspaceSecrets, 'refresh'> {
  /** The input of a run: its texts are masked, its settings and paths are not. */
  readonly input: (value: JsonObject) => JsonObject;
}

/** Secrets are the values of variables that name one, and whatever the configured patterns match. */
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
      const masked = (value: JsonObject) => json(redactObject(value, secrets.mask, isWord));
      return {
        text: (source) => text(secrets.mask(source)),
        json: masked,
        input: (value) => ({...masked(value), ...json(placesIn(value))}),
        holdsSecret,
        refresh: secrets.refresh,
      };
    },
  };
}

/** Whether a value stays as it is. */
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

/** A word of the engine's own: no file may break a run by calling such a word a secret. */
function isWord(key: string, value: Json): boolean {
  return ownKeys.has(key) && typeof value === 'string' && /^[a-z][a-z_.]{0,39}$/i.test(value);
}

const placeKeys: ReadonlySet<string> = new Set(
  'id form session workspace settings limits tooling'.split(' '),
);

function placesIn(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => placeKeys.has(key)));
}
