/** A new run in the working folder, from its start to the exit code. */

import type {StartOptions} from '../actors/runtime-api.ts';
import type {RunResult} from '../machines/domain/result.ts';
import {t, type Message} from '../machines/message.ts';
import type {Attachment} from '../machines/prompts/sections.ts';
import {say} from './language.ts';
import {levelOf, type Parsed} from './line/command.ts';
import {readRequest, type RunForm, withFiles} from './line/request.ts';
import {type Launched, withLoggedRuntime} from './open-runtime.ts';
import {openingOf} from './past/history.ts';
import {oneLine} from './render/text.ts';
import {warn} from './render/warning.ts';
import {type OpenScreen, runSession} from './session.ts';
import {tryToWrite, type Terminal, write} from './terminal.ts';

/** Reads the request from the command line, with piped text and named files as attachments. `place`: absent, the working folder. */
export async function startRun(
  form: RunForm,
  parsed: Parsed,
  terminal: Terminal,
  place: Pick<StartOptions, 'workspace'> = {},
): Promise<number> {
  // Warned about also with -q: piped text may be missing.
  const warnOf = (message: Message): void => void warn([message], terminal);
  const asked = await readRequest(form, parsed.operands, terminal.stdin, warnOf);
  const options = (workspace: string) => ({form, ...place, ...withFiles(asked, workspace, warnOf)});
  return await launchRun(options, {parsed, terminal});
}

interface Launching {
  readonly parsed: Parsed;
  readonly terminal: Terminal;
  /** Receives the result before it is printed, so that all that it writes exists when the program ends. */
  readonly onResult?: (result: RunResult) => Promise<void>;
  readonly screen?: OpenScreen;
}

/** `optionsFor`: the start options for a workspace. */
export async function launchRun(
  optionsFor: (workspace: string) => StartOptions,
  {parsed, terminal, onResult, screen}: Launching,
): Promise<number> {
  return await withLoggedRuntime(parsed, terminal, async (launched, logger) => {
    const {runtime, journal, workspace, warnings} = launched;
    const options = {workspace, ...optionsFor(workspace)};
    await runtime.ready({workspace: options.workspace});
    if (parsed.detach === true) return await detach(options, launched, terminal);
    const run = runtime.start(options);
    if (!parsed.quiet) await noteAttached(options.attachments ?? [], terminal);
    return await runSession(run, {
      terminal,
      form: options.form,
      output: parsed.output,
      level: levelOf(parsed),
      workspace,
      opening: async () => openingOf(await journal.log.read(run.id)),
      warnings,
      logger,
      ...(onResult ? {onResult} : {}),
      ...(screen ? {screen} : {}),
    });
  });
}

/** The id goes to stdout, so that a script can refer to the run. */
async function detach(
  options: StartOptions,
  {runtime}: Launched,
  terminal: Terminal,
): Promise<number> {
  const id = await runtime.record(options);
  await write(terminal.stdout, `${id}\n`);
  const hint = t`a worker runs it (quorate worker); to see it: quorate show ${id}; to follow it: quorate resume ${id}`;
  await tryToWrite(terminal.stderr, `${say(hint, terminal)}\n`);
  return 0;
}

async function noteAttached(attachments: readonly Attachment[], terminal: Terminal): Promise<void> {
  if (attachments.length === 0) return;
  const names = attachments.map(
    ({name, text}) =>
      `${oneLine(name, 200)} (${say(t`${Buffer.byteLength(text)} {byte|bytes}`, terminal)})`,
  );
  await tryToWrite(terminal.stderr, `${say(t`with ${names.join(', ')}`, terminal)}\n`);
}
