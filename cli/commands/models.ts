/** `quorate models`: the available models by provider, and their roles. */

import {resolve} from 'node:path';

import type {AppError} from '../../machines/domain/app-error.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {t} from '../../machines/message.ts';
import {meantOne, usageError} from '../line/usage-error.ts';
import {reportCommand} from './define.ts';

/** Shown of one provider when all providers are listed. */
const maxModels = 12;

export const models = reportCommand({
  operands: {
    usage: '[PROVIDER]',
    what: t`the name of a provider`,
    least: 0,
    most: 1,
  },
  summary: t`list the providers, their state, and their models`,
  detail: t`Asks every provider that has its key, or needs none, for its models, and lists them by the names that -m takes, with
the price of a million tokens and their roles in a run. Local servers are searched at their usual addresses.
With the name of a provider, lists all of its models; exit 2 if it can't be reached.`,
  obeys: ['output', 'models', 'rule', 'panel', 'phases', 'plans', 'tasks', 'limits'],
  examples: ['quorate models', 'quorate models ollama', 'quorate models --output json'],
  report: async ({operands: [only], cwd = '.', overrides}, terminal) => {
    const {env} = terminal;
    const {loadConfig} = await import('../config/load.ts');
    const {warningText} = await import('../render/warning.ts');
    const {modelRoles, routerOf} = await import('../config/in-effect.ts');
    const {modelsLines, surveyProviders} = await import('../doctor/models.ts');
    const loaded = await loadConfig({cwd: resolve(cwd), env, overrides});
    const router = routerOf(loaded, env);
    const {roles, problems} = modelRoles(loaded, router);
    const providers = await surveyProviders({loaded, router, env, roles, only});
    if (only !== undefined && providers.length === 0) throw await unknown(only, loaded.config);
    const most = only === undefined ? maxModels : Number.POSITIVE_INFINITY;
    const isThere = providers.some(({state}) => state === 'reachable' || state === 'unlisted');
    return {
      data: providers,
      lines: (view) => modelsLines(providers, {...view, maxModels: most}),
      notes: () => problems.map((line) => warningText(line, terminal)),
      exitCode: only === undefined || isThere ? 0 : 2,
    };
  },
});

async function unknown(
  name: string,
  {providers}: {readonly providers: Readonly<Record<string, unknown>>},
): Promise<AppError> {
  const {presets} = await import('../../actors/model/providers.ts');
  const names = [...new Set([...Object.keys(presets), ...Object.keys(providers)])];
  const near = nearest(name, names);
  const known = names.join(', ');
  const hint = near === undefined ? t`; there are ${known}` : meantOne(near);
  return usageError(t`there is no provider "${name}"${hint}`);
}
