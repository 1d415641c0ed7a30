/** `quorate doctor`: checks configuration, providers and the machine; `quorate doctor tools`: lists the tools. */

import {resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import type {Parsed} from '../line/command.ts';
import {switchOption, wordOption} from '../line/option-values.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {reportCommand} from './define.ts';

export const doctor = reportCommand({
  operands: {
    usage: '[tools [SERVER]]',
    what: t`tools and the name of an MCP server`,
    least: 0,
    most: 2,
  },
  summary: t`check configuration, providers and the machine; tools: list every tool and MCP server`,
  detail: t`Reports what is configured, what can be reached and what is missing. The models in use on your own servers are asked
for one word, with a tool on offer; those of Anthropic, OpenAI and other vendors only with --online, as it costs
a little. Exit 0 if a run could start, 2 if not. Keys are never shown.

quorate doctor tools lists the tools that a run in this folder is offered: built in, of quorate.toml, and of MCP servers, with
their risk, their effects and the size of their definitions. Servers are those of the user's configuration ([mcp.NAME]) and, in
a trusted folder, of .mcp.json. With the name of a server, it shows the texts of its tools. The tools of a server are pinned as
a set when it is first started. If a tool is added, removed or changed later, none of them is offered until you have read them
and trust them again with --trust. Nothing is started without --start or --trust: the pins contain what a run would be offered.
For each server it shows whether it would run confined, and with which network.`,
  obeys: ['output', 'models', 'rule', 'panel', 'phases', 'plans', 'tasks', 'limits'],
  options: {
    online: switchOption(t`ask models of vendors, too`),
    runs: switchOption(
      t`replay the open runs of every folder, and list the runs that this version can't resume`,
    ),
    start: switchOption(
      t`with tools: start all MCP servers, and compare their tools with the pins`,
    ),
    trust: wordOption(
      'SERVER',
      t`with tools: start this server, and trust it with its tools as they are now`,
    ),
  },
  examples: ['quorate doctor --online', 'quorate doctor tools', 'quorate doctor tools --start'],
  report: async (given, terminal) => {
    requireSubject(given);
    const {operands, cwd: folder = '.', options, output, overrides} = given;
    const {env, journal, language} = terminal;
    const cwd = resolve(folder);
    const {loadConfig} = await import('../config/load.ts');
    if (operands.length > 0) {
      const {toolsReport} = await import('../doctor/tools.ts');
      const loaded = await loadConfig({cwd, env, overrides});
      return await toolsReport({loaded, folder: cwd, named: operands[1], options, terminal});
    }
    const loaded = await loadConfig({cwd, env, overrides}).catch(toAppError);
    const {doctor: examine, doctorLines} = await import('../doctor/doctor.ts');
    const reader = output === 'text' ? {language} : {};
    const {online, runs: withRuns} = options;
    const report = await examine({...reader, loaded, env, journal, cwd, online, withRuns});
    return {
      data: report,
      lines: ({width}) => doctorLines(report, width, reader),
      exitCode: report.exitCode,
    };
  },
});

/** Throws AppError `usage` for another subject than tools, and for a flag that does not concern the subject. */
function requireSubject({operands: [subject], flags, overrides}: Parsed): void {
  if (subject !== undefined && subject !== 'tools') {
    const near = meant(subject, ['tools']);
    throw usageError(t`quorate doctor takes no words but tools, not "${subject}"${near}`);
  }
  const others = subject === undefined ? ['start', 'trust'] : ['online', 'runs'];
  const [flag] = [
    ...others.filter((name) => flags[name] !== undefined).map((name) => `--${name}`),
    ...(subject === undefined ? [] : overrides.map(({source}) => source)),
  ];
  if (flag === undefined) return;
  const line = subject === undefined ? 'quorate doctor tools' : 'quorate doctor';
  throw usageError(t`${flag} goes with ${line} only`);
}

/** An invalid configuration is a finding; any other error is a bug. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
