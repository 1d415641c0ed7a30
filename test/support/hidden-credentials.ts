/** Agents that run given commands in a repository with credentials: policies alone vote, in a real sandbox or without one. */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {onTestFinished} from 'vitest';

import {
  type ConfigInput,
  createFunctionModel,
  createRuntime,
  createSqliteJournal,
  type Run,
} from '../../actors/index.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {answer, reply} from './scenario.ts';

export const canary = 'Kc7vTq9xWz2mLp4r';

/** Each has the canary; git tracks none of them. */
export const credentials: Readonly<Record<string, string>> = {
  '.env': `PORT=3000\nAPI_KEY=${canary}\n`,
  '.netrc': `machine example.com login ann password ${canary}\n`,
  'server.key': `-----BEGIN PRIVATE KEY-----\nMIIEvQ${canary}\n-----END PRIVATE KEY-----\n`,
  'nested/.env.local': `SMTP_PASS="${canary}"\n`,
};

const tracked: Readonly<Record<string, string>> = {
  '.gitignore': '.env*\n!.env.example\n',
  '.env.example': 'API_KEY=\n',
  'src/api.txt': 'API docs\n',
  'app.sh': 'cat .env\n',
};

/** Removed at the end of the test. Outside of /tmp, because any user may write there. */
export function createRepository(more: Readonly<Record<string, string>> = {}): string {
  const workspace = realpathSync(mkdtempSync('/var/tmp/quorate-credentials-'));
  onTestFinished(() => rmSync(workspace, {recursive: true, force: true}));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: workspace});
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(workspace, path)), {recursive: true});
    writeFileSync(join(workspace, path), text);
  };
  for (const [path, text] of Object.entries({...tracked, ...more})) put(path, text);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
  for (const [path, text] of Object.entries(credentials)) put(path, text);
  return workspace;
}

export interface Commanding {
  readonly run: Run;
  readonly result: Promise<RunResult>;
  readonly events: ProgressEvent[];
  /** All stored and shown texts: requests to models, events, the result, and the journal. */
  readonly shown: () => Promise<string>;
}

export interface Command {
  readonly command: string;
  readonly credentials?: readonly string[];
}

/** One task per command. A command that cannot be judged suspends the run, as without a terminal, or a person approves it. */
export function runCommands(
  workspace: string,
  commands: readonly Command[],
  config: ConfigInput,
  person: 'absent' | 'approves' = 'absent',
): Commanding {
  const requests: string[] = [];
  const events: ProgressEvent[] = [];
  const folder = realpathSync(mkdtempSync('/var/tmp/quorate-journal-'));
  const journal = createSqliteJournal(join(folder, 'journal.db'));
  onTestFinished(async () => {
    await runtime.close();
    await journal.close();
    rmSync(folder, {recursive: true});
  });
  const tasks = commands.map((args, at) => ({
    id: `t${at}`,
    description: 'run it',
    tool: 'run_command',
    args: {...args},
  }));
  const plan = {objective: 'Look', reasoning: 'look', tasks};
  const runtime = createRuntime({
    journal,
    env: {},
    cacheFolder: folder,
    config: {
      ...config,
      agent: {
        exploration_model: 't/w',
        decision_model: 't/w',
        max_parallel_tasks: 1,
        review_models: ['policy/safety', 'policy/scope', 'policy/evidence'],
        ...config.agent,
      },
    },
    models: [
      createFunctionModel('t/w', (request) => {
        requests.push(JSON.stringify(request));
        if (request.purpose === 'plan') return reply('create_plan', plan);
        if (request.purpose === 'evaluate')
          return reply('evaluate_result', {successful: true, problems: []});
        return answer('It ran.');
      }),
    ],
  });
  const run = runtime.agent('Look for API in all files', {
    workspace,
    onEvent: (event) => {
      events.push(event);
      if (event.type !== 'human.requested') return;
      if (person === 'absent') void run.suspend('waiting');
      else
        setImmediate(() => {
          run.send({type: 'human.decided', gate: event.gate, decision: 'approve'});
        });
    },
  });
  return {
    run,
    result: run.result,
    events,
    shown: async () => {
      const entries = await runtime.entries(run.id);
      return JSON.stringify([requests, events, entries, await run.result]);
    },
  };
}
