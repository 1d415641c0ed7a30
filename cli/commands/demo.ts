/** `quorate demo`: scripted models fix a sample project with real tools, in a temporary folder. */

import {cpSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {join} from 'node:path';

import type {Logger} from '../../actors/logger.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {type Message, t} from '../../machines/message.ts';
import {temporaryFolder} from '../../tools/temporary-folder.ts';
import type {InspectedRun} from '../inspect/inspect-run.ts';
import {levelOf, type Command, type Parsed} from '../line/command.ts';
import {withLog} from '../log.ts';
import {openJournal} from '../past/open-journal.ts';
import {shippedFile} from '../shipped-file.ts';
import type {Terminal} from '../terminal.ts';

export const demo: Command = {
  summary: t`a run in a sample folder, without a network and without keys`,
  detail: t`A run in a copy of a sample folder with scripted models: no network, no keys. The copy is in the folder for temporary
files. It is removed when the run has ended, unless --keep is given; quorate undo needs it. The copy of a run that was
interrupted stays, for quorate resume.`,
  options: [
    {
      name: 'keep',
      text: t`keep the copy when the run has ended`,
    },
    {
      name: 'inspect',
      text: t`show the run in a browser while it works, and afterwards until Ctrl-C`,
    },
  ],
  obeys: ['output', 'log'],
  endsWithResult: 'agent',
  run: async (parsed, terminal) =>
    await withLog(parsed, terminal.env, async (logger) => await runDemo(parsed, terminal, logger)),
};

async function runDemo(parsed: Parsed, terminal: Terminal, logger: Logger): Promise<number> {
  const {createRuntime} = await import('../../actors/runtime.ts');
  const {demoConfig, demoModels} = await import('../demo/models.ts');
  const {openingOf} = await import('../past/history.ts');
  const {runSession} = await import('../session.ts');
  const workspace = copySample();
  const journal = await openJournal(terminal);
  let hasEnded = false;
  let inspecting: InspectedRun | undefined;
  const isKept = parsed.flags['keep'] !== undefined;
  const isInspected = parsed.flags['inspect'] !== undefined;
  const config = {config: demoConfig, models: demoModels(), journal, env: terminal.env, logger};
  const runtime = createRuntime(config);
  try {
    const run = runtime.start({form: 'agent', request: 'Fix the failing test', workspace});
    inspecting = isInspected ? await startInspecting(runtime, run, terminal) : undefined;
    const exitCode = await runSession(run, {
      terminal,
      form: 'agent',
      output: parsed.output,
      level: levelOf(parsed),
      workspace,
      opening: async () => openingOf(await journal.log.read(run.id)),
      warnings: [demoWarning(workspace, isKept)],
      logger,
      onResult: async ({status, resumable}) => {
        hasEnded = status !== 'waiting' && resumable !== true;
        await Promise.resolve();
      },
    });
    if (hasEnded) await inspecting?.untilInterrupt();
    return exitCode;
  } finally {
    await inspecting?.close();
    await runtime.close();
    await journal.close();
    if (hasEnded && !isKept) rmSync(workspace, {recursive: true, force: true});
  }
}

async function startInspecting(
  runtime: Runtime,
  run: Run,
  terminal: Terminal,
): Promise<InspectedRun> {
  const {inspectRun} = await import('../inspect/inspect-run.ts');
  return await inspectRun(runtime, run, terminal);
}

function demoWarning(folder: string, isKept: boolean): Message {
  const end: Message = isKept
    ? t`which is kept`
    : t`which is removed at the end unless --keep is given`;
  return t`demo: the models are scripted, the tools are real; they work on a copy in ${folder}, ${end}`;
}

function copySample(): string {
  const folder = realpathSync(mkdtempSync(join(temporaryFolder(), 'quorate-demo-')));
  cpSync(shippedFile('cli/demo/sample'), folder, {recursive: true});
  return folder;
}
