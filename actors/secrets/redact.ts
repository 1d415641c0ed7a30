/** Masks known secrets before an outcome is delivered, so that none reaches a machine, the journal or a model. */

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
  'id form session workspace settings limits tooling'.split(' '),
);

function placesIn(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => placeKeys.has(key)));
}
