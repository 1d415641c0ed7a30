/** What a question would be answered with: its model, documents, database. */

import {resolve} from 'node:path';

import {type Config, createFunctionModel, createRuntime} from '../../actors/live.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Finding} from './finding.ts';

/** A database that can't be had keeps every run from starting; it is a tool of all of them. */
export async function checkTools(config: Config, cwd: string): Promise<Finding[]> {
  const {search, database, web} = config;
  const findings: Finding[] = [
    {what: 'documents', status: 'ok', detail: search.paths.join(', ')},
    ...(web.enabled ? [{what: 'web', status: 'ok', detail: webText(web)} as const] : []),
    ...(database.path === ''
      ? []
      : [{what: 'database', status: 'ok', detail: database.path} as const]),
  ];
  const model = createFunctionModel('doctor/none', () => ({kind: 'refused', message: ''}));
  const runtime = createRuntime({config, models: [model], env: {}});
  try {
    await runtime.ready({workspace: resolve(cwd, config.agent.working_dir)});
    return findings;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{what: 'tools', status: 'failed', detail: error.message}];
  } finally {
    await runtime.close();
  }
}

function webText({allow_private: isPrivate}: Config['web']): string {
  return isPrivate ? 'web_fetch, private addresses too' : 'web_fetch, public addresses only';
}
