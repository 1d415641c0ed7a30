/** `quorate init`: one fixed task for the agent, which writes AGENTS.md. */

import {resolve} from 'node:path';

import {t} from '../../machines/message.ts';
import type {Command, Parsed} from '../line/command.ts';
import type {Terminal} from '../terminal.ts';

export const init: Command = {
  summary: t`write AGENTS.md, which describes this repository to agents`,
  detail: t`Starts a task like any other, planned and voted on: write AGENTS.md, in at most 40 lines, from the files of the
repository. Agents and questions receive this file (quorate help input). Without a model, an overview is written by rule.`,
  obeys: ['output', 'log', 'models', 'rule', 'panel', 'phases', 'plans', 'tasks', 'limits'],
  roles: ['exploration', 'decision', 'review'],
  endsWithResult: 'agent',
  examples: ['quorate init'],
  run: async (parsed, terminal) => {
    const {startRun} = await import('../start-run.ts');
    const request = await initRequestFor(parsed, terminal);
    return await startRun('agent', {...parsed, operands: [request]}, terminal);
  },
};

async function initRequestFor({cwd = '.', overrides}: Parsed, {env}: Terminal): Promise<string> {
  const {loadConfig} = await import('../config/load.ts');
  const {initRequest} = await import('../config/in-effect.ts');
  return initRequest(await loadConfig({cwd: resolve(cwd), env, overrides}), env);
}
