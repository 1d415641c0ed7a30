/** Checks the data sources of tools: documents, a database, the web. */

import {resolve} from 'node:path';

import type {Config} from '../../actors/config/schema.ts';
import {toolboxFor, toolingOf} from '../../actors/performers/tooling.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {createSandbox} from '../../tools/run/sandbox.ts';
import type {Finding} from './finding.ts';

/** A database that can't be opened keeps every run from starting: it is a tool of all of them. */
export async function checkTools(config: Config, cwd: string): Promise<Finding[]> {
  const {search, database, web} = config;
  const findings: Finding[] = [
    {what: 'documents', status: 'ok', detail: `quorate ask searches ${search.paths.join(', ')}`},
    ...(web.enabled ? [{what: 'web', status: 'ok', detail: webText(web)} as const] : []),
    ...(database.path === ''
      ? []
      : [{what: 'database', status: 'ok', detail: database.path} as const]),
  ];
  try {
    const tooling = toolingOf(config, resolve(cwd, config.agent.working_dir));
    await toolboxFor(tooling, {sandbox: createSandbox(config.sandbox), extra: []}).ready();
    return findings;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{what: 'tools', status: 'failed', detail: error.message}];
  }
}

function webText({allow_private: isPrivate}: Config['web']): string {
  return isPrivate ? 'web_fetch, private addresses too' : 'web_fetch, public addresses only';
}
