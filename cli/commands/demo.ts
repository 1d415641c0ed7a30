/** `quorate demo`: scripted models fix a sample project with real tools, in a temporary folder. */

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import {join, resolve} from 'node:path';

import type {Logger} from '../../actors/logger.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {type Message, t} from '../../machines/message.ts';
import {temporaryFolder} from '../../tools/temporary-folder.ts';
import type {InspectedRun} from '../inspect/inspect-run.ts';
import {say} from '../language.ts';
import {levelOf} from '../line/command.ts';
import {switchOption, wordOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {withLog} from '../log.ts';
import {openJournal} from '../past/open-journal.ts';
import {oneLine} from '../render/text.ts';
import type {Terminal} from '../terminal.ts';
import {shippedFile} from '../version.ts';
import {command, type Given} from './define.ts';

const options = {
  keep: wordOption(
    'DIR',
    t`work in this new or empty folder, and keep it, with files to try other commands on`,
  ),
  inspect: switchOption(t`show the run in a browser while it works, and afterwards until Ctrl-C`),
};

export const demo = command({
  summary: t`a run in a sample folder, without a network and without keys`,
  detail: t`A run in a copy of a sample folder with scripted models: no network, no keys. The copy is in the folder for temporary
files, and is removed when the run has ended; that of a run that was interrupted stays, for quorate resume. With
--keep DIR it is in DIR, a new or empty folder, with a form (shirt.toml), a database (sales.sqlite) and a machine
(checkout.ts) besides, to try other commands on.`,
  options,
  obeys: ['output', 'log'],
  endsWithResult: 'agent',
  run: async (parsed, terminal) =>
    await withLog(parsed, terminal.env, async (logger) => await runDemo(parsed, terminal, logger)),
});

async function runDemo(
  parsed: Given<typeof options>,
  terminal: Terminal,
  logger: Logger,
): Promise<number> {
  const {createRuntime} = await import('../../actors/runtime.ts');
  const {demoConfig, demoModels} = await import('../demo/models.ts');
  const {openingOf} = await import('../past/history.ts');
  const {runSession} = await import('../session.ts');
  const {keep: kept, inspect: isInspected} = parsed.options;
  const workspace = copySample(kept === undefined ? undefined : resolve(parsed.cwd ?? '.', kept));
  const {journal} = await openJournal(terminal);
  let hasEnded = false;
  let inspecting: InspectedRun | undefined;
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
      warnings: [demoWarning(workspace, kept !== undefined)],
      logger,
      hints: ({interaction, status}) =>
        hints(interaction, status, kept).map((hint) => say(hint, terminal)),
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
    if (hasEnded && kept === undefined) rmSync(workspace, {recursive: true, force: true});
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
    : t`which is removed at the end unless --keep DIR is given`;
  return t`demo: the models are scripted, the tools are real; they work on a copy in ${folder}, ${end}`;
}

function hints(id: string, status: string, kept: string | undefined): readonly Message[] {
  const look: Message = t`Look at it: quorate show ${id}, or in a browser: quorate inspect ${id}`;
  const take: Message =
    kept === undefined
      ? t`To try other commands: quorate demo --keep DIR leaves this folder, a form, a database and a machine`
      : t`Take it back: quorate undo ${id}. Try shirt.toml, sales.sqlite and checkout.ts in ${oneLine(kept)}`;
  const vote: Message = t`The worker wanted to run “rm -rf test”, which would have left no failing test: the other models rejected it.`;
  return status === 'completed' ? [vote, look, take] : [look];
}

/** `kept`: a new or empty folder. Throws AppError `usage` when it is neither. */
function copySample(kept?: string): string {
  if (kept === undefined) {
    const folder = realpathSync(mkdtempSync(join(temporaryFolder(), 'quorate-demo-')));
    cpSync(shippedFile('cli/demo/sample'), folder, {recursive: true});
    return folder;
  }
  mkdirSync(kept, {recursive: true});
  if (readdirSync(kept).length > 0) throw usageError(t`${oneLine(kept)} is not empty`);
  cpSync(shippedFile('cli/demo/sample'), kept, {recursive: true});
  keepExamples(kept);
  return realpathSync(kept);
}

/** Files to try commands on: a form, a database and a machine. */
export function keepExamples(folder: string): void {
  for (const name of ['shirt.toml', 'checkout.ts'])
    cpSync(shippedFile(`cli/demo/examples/${name}`), join(folder, name));
  const {DatabaseSync} = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(join(folder, 'sales.sqlite'));
  database.exec(readFileSync(shippedFile('cli/demo/examples/sales.sql'), 'utf8'));
  database.close();
}
