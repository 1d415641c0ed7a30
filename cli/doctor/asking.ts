/** Checks the data sources of tools: documents, a database, the web. */

import {resolve} from 'node:path';

import type {Config} from '../../actors/config/schema.ts';
import {toolboxFor, toolingOf} from '../../actors/performers/tooling.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {createSandbox} from '../../tools/run/sandbox.ts';
import type {Finding} from './finding.ts';
import type {DoctorTexts} from './texts.ts';

/** A database that can't be opened keeps every run from starting: it is a tool of all of them. */
export async function checkTools(
  config: Config,
  cwd: string,
  texts: DoctorTexts,
): Promise<Finding[]> {
  const {parts} = texts;
  const {search, database, web} = config;
  const findings: Finding[] = [
    {what: parts.documents, status: 'ok', detail: texts.searched(search.paths.join(', '))},
    ...(web.enabled ? [{what: parts.web, status: 'ok', detail: webText(web, texts)} as const] : []),
    ...(database.path === ''
      ? []
      : [{what: parts.database, status: 'ok', detail: database.path} as const]),
  ];
  try {
    const tooling = toolingOf(config, resolve(cwd, config.agent.working_dir));
    await toolboxFor(tooling, {sandbox: createSandbox(config.sandbox), extra: []}).ready();
    return findings;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{what: parts.tools, status: 'failed', detail: error.message}];
  }
}

function webText({allow_private: isPrivate}: Config['web'], texts: DoctorTexts): string {
  return isPrivate ? texts.allAddresses : texts.publicAddresses;
}
