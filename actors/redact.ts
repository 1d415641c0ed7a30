/** Known secrets are replaced before an outcome is delivered: they reach no machine, no journal, no model. */

import {isJsonObject, type Json, type JsonObject} from '../machines/domain/json.ts';
import {secretsIn} from '../machines/domain/secrets.ts';
import type {Config} from './config/schema.ts';
import {trySecretPattern} from './config/secret-pattern.ts';

const mark = '[redacted]';

export interface Redactor {
  readonly text: (text: string) => string;
  readonly json: (value: JsonObject) => JsonObject;
  readonly holdsSecret: (content: Buffer) => boolean;
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
    const withoutValues = values.reduce((rest, value) => rest.replaceAll(value, mark), source);
    return patterns.reduce((rest, pattern) => rest.replace(pattern, mark), withoutValues);
  };
  const isIdle = values.length === 0 && patterns.length === 0;
  return {
    text,
    json: (value) => (isIdle ? value : redactObject(value, text)),
    holdsSecret: (content) => {
      if (isIdle) return false;
      const source = content.toString('utf8');
      return text(source) !== source;
    },
  };
}

function redactIn(value: Json, text: (source: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (isJsonObject(value)) return redactObject(value, text);
  return Array.isArray(value) ? value.map((item: Json) => redactIn(item, text)) : value;
}

function redactObject(value: JsonObject, text: (source: string) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redactIn(item, text)]),
  );
}
