/** `quorate doctor`: what is configured, reachable and missing. */

import {resolve} from 'node:path';

import type {Command} from '../command.ts';
import {escapedLines, safeJson} from '../lines/text.ts';
import {write} from '../terminal.ts';

export const doctor: Command = {
  summary: 'say what is configured, reachable and missing; --online: ask the providers too',
  detail: `Says what is configured, what can be reached and what is missing. Servers of yours are asked for their models;
Anthropic and OpenAI only with --online. Exit 0 if a run could start, 2 if not. Keys are never shown.`,
  obeys: ['output', 'models', 'panel', 'phases', 'limits'],
  options: [{name: 'online', text: 'ask Anthropic and OpenAI, too'}],
  run: async ({cwd: folder = '.', flags, output, overrides}, {stdout, env}) => {
    const cwd = resolve(folder);
    const {loadConfig} = await import('../config/load.ts');
    const loaded = await loadConfig({cwd, env, overrides});
    const {examine} = await import('../doctor/examine.ts');
    const {doctorLines} = await import('../doctor.ts');
    const report = await examine({loaded, env, cwd, online: flags['online'] !== undefined});
    const text =
      output === 'text'
        ? doctorLines(report).flatMap(escapedLines).join('\n')
        : safeJson(report, output === 'json' ? 2 : undefined);
    await write(stdout, `${text}\n`);
    return report.exitCode;
  },
};
