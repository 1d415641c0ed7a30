/** Checks the data sources of tools: documents, a database, the web. */

import {resolve} from 'node:path';

import type {Config} from '../../actors/config/schema.ts';
import {toolboxFor, toolingOf} from '../../actors/performers/tooling.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {createSandbox} from '../../tools/run/sandbox.ts';
import {say, type Reader} from '../language.ts';
import type {Finding} from './finding.ts';

/** A database that can't be opened keeps every run from starting: it is a tool of all of them. */
export async function checkTools(config: Config, cwd: string, reader: Reader): Promise<Finding[]> {
  const {search, database, web} = config;
  const findings: Finding[] = [
    {
      what: say(t`documents`, reader),
      status: 'ok',
      detail: say(t`quorate ask searches ${search.paths.join(', ')}`, reader),
    },
    ...(web.enabled
      ? [{what: say(t`web`, reader), status: 'ok', detail: webText(web, reader)} as const]
      : []),
    ...(database.path === ''
      ? []
      : [{what: say(t`database`, reader), status: 'ok', detail: database.path} as const]),
  ];
  try {
    const tooling = toolingOf(config, resolve(cwd, config.agent.working_dir));
    await toolboxFor(tooling, {sandbox: createSandbox(config.sandbox), extra: []}).ready();
    return findings;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{what: say(t`tools`, reader), status: 'failed', detail: error.message}];
  }
}

function webText({allow_private: isPrivate}: Config['web'], reader: Reader): string {
  return isPrivate
    ? say(t`web_fetch, private addresses too`, reader)
    : say(t`web_fetch, public addresses only`, reader);
}
