/** Where one run differs from the configuration of its runtime. */

import {AppError} from '../../machines/domain/app-error.ts';
import {keysOf} from './change.ts';
import {parseConfig} from './keys.ts';
import {resolveConfig, type ResolvedConfig, type RunForm} from './resolve.ts';
import type {RoleContext} from './roles.ts';
import type {Config, ConfigInput} from './schema.ts';
import {merged} from './standing.ts';

/** What all runs of a runtime share. */
const shared: ReadonlySet<string> = new Set(['providers', 'prices', 'secrets', 'sandbox']);

export interface OwnGround {
  readonly config: ConfigInput;
  readonly context: RoleContext;
  readonly form: RunForm;
}

/** Throws AppError `usage` for what all runs share, `config` or `credentials` as `parseConfig` and `resolveConfig` do. */
export function resolveOwn(
  settings: ConfigInput,
  {config, context, form}: OwnGround,
): {readonly config: Config; readonly resolved: ResolvedConfig} {
  const fixed = Object.keys(settings).find((section) => shared.has(section));
  if (fixed !== undefined) {
    throw new AppError('usage', `${fixed} is of the runtime: no run has its own`);
  }
  const own = parseConfig(merged(config, settings));
  const named = new Set([...context.named.keys(), ...keysOf(settings)]);
  return {config: own, resolved: resolveConfig(own, {...context, named}, form)};
}
