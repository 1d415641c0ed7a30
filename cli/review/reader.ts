/** Requires a model that reads the diff: policies alone may approve only on request. */

import {AppError} from '../../machines/domain/app-error.ts';
import {resolveLoaded, routerOf} from '../config/in-effect.ts';
import {loadConfig} from '../config/load.ts';
import type {Parsed} from '../line/command.ts';
import type {Environment} from '../terminal.ts';

const remedy =
  'set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model with -m review=NAME (quorate help models); ' +
  'for the policy reviewers alone: quorate review --scope fast';

/** Rejects with AppError `credentials` if only policy reviewers would vote and no flag or setting asks for that. */
export async function requireReader(
  {overrides}: Pick<Parsed, 'overrides'>,
  cwd: string,
  env: Environment,
): Promise<void> {
  const loaded = await loadConfig({cwd, env, overrides});
  const asked = loaded.config.agent;
  const isFast = asked.phase_scope === 'fast';
  const isByRule = asked.review_models.every((name) => name.startsWith('policy/'));
  if (isFast || isByRule) return;
  const found = resolveLoaded(loaded, routerOf(loaded, env), 'review');
  // A configuration that can't be used is reported when the run starts.
  if (!found.ok || found.resolved.settings.panel.some(({kind}) => kind === 'model')) return;
  throw new AppError('credentials', `no model can review the diff; ${remedy}`);
}
