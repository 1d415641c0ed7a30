/** The overhead of confinement: starting `true`, with and without it, in a repository of 2,000 files. */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {createRunCommand, createSandbox, createToolbox} from '../../tools/index.ts';
import {createControlGroups} from '../../tools/run/cgroup/control-groups.ts';
import type {CommandOptions} from '../../tools/run/run-command.ts';
import type {SandboxOptions} from '../../tools/run/sandbox.ts';
import type {Row} from './table.ts';

const folders = 200;
const filesAFolder = 10;
const rounds = 30;

export async function measureSandbox(): Promise<Row[]> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-bench-')));
  try {
    fill(workspace);
    const probed = await createSandbox({mode: 'auto'}).probe(workspace);
    if (!probed.confined) throw new Error(probed.why);
    const bare = await bestOf(workspace, {mode: 'off'});
    const controlGroups = createControlGroups();
    const grouped = await bestOf(workspace, {mode: 'off'}, {controlGroups});
    const confined = await bestOf(workspace, {mode: 'required'}, {controlGroups});
    const networked = await bestOf(workspace, {mode: 'required', network: ['example.com:443']});
    return [
      {label: 'a command, unconfined', unit: 'ms', ours: bare},
      {label: 'added by a control group', unit: 'ms', ours: grouped - bare},
      {
        label: 'added by confinement and a control group',
        unit: 'ms',
        ours: confined - bare,
        aim: 50,
      },
      {label: 'added by confinement with a network', unit: 'ms', ours: networked - bare},
    ];
  } finally {
    rmSync(workspace, {recursive: true, force: true});
  }
}

function fill(workspace: string): void {
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(workspace, `folder-${folder % 20}`, `part-${folder}`);
    mkdirSync(path, {recursive: true});
    for (let file = 0; file < filesAFolder; file += 1) writeFileSync(join(path, `${file}.txt`), '');
  }
  execFileSync('git', ['init', '-q', workspace]);
}

/** The best of several rounds, which has the least noise of the machine. */
async function bestOf(
  workspace: string,
  options: SandboxOptions,
  more: CommandOptions = {},
): Promise<number> {
  const sandbox = createSandbox(options);
  const toolbox = createToolbox([createRunCommand({sandbox, ...more})]);
  const call = async (): Promise<number> => {
    const before = performance.now();
    const outcome = await toolbox.run(
      {tool: 'run_command', args: {command: 'true'}, workspace, repeatability: 'once'},
      {
        workspace,
        signal: new AbortController().signal,
        recovering: false,
        onChild: () => undefined,
      },
    );
    if (outcome.kind !== 'succeeded') throw new Error(`the command ${outcome.kind}`);
    return performance.now() - before;
  };
  await call();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await call());
  return Math.min(...times);
}
