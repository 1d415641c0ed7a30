/** Applies the settings of one run to the configuration of its runtime. */

import {AppError} from '../../machines/domain/app-error.ts';
import {keysOf} from './change.ts';
import {merged} from './current-config.ts';
import {parseConfig} from './keys.ts';
import {resolveConfig, type ResolvedConfig, type RunForm} from './resolve.ts';
import type {RoleContext} from './roles.ts';
import type {Config, ConfigInput} from './schema.ts';

/** The sections that all runs of a runtime share. */
const shared: ReadonlySet<string> = new Set([
  'mcp',
  'prices',
  'providers',
  'sandbox',
  'secrets',
  'tools',
]);

export interface OwnGround {
  readonly config: ConfigInput;
  readonly context: RoleContext;
  readonly form: RunForm;
}

/** Throws AppError `usage` for a shared section, `config` or `credentials` as `parseConfig` and `resolveConfig` do. */
export function resolveOwn(
  settings: ConfigInput,
  {config, context, form}: OwnGround,
): {readonly config: Config; readonly resolved: ResolvedConfig} {
  const fixed = Object.keys(settings).find((section) => shared.has(section));
  if (fixed !== undefined) {
    throw new AppError('usage', `${fixed} belongs to the runtime: a run cannot override it`);
  }
  const own = parseConfig(merged(config, settings));
  const named = new Set([...context.named.keys(), ...keysOf(settings)]);
  return {config: own, resolved: resolveConfig(own, {...context, named}, form)};
}
