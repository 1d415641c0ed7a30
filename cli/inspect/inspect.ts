/** Runs `quorate inspect`: a page, or one run as a file or as events. */

import {writeFileSync} from 'node:fs';
import {resolve} from 'node:path';

import type {InspectedRun} from '../../actors/inspect/inspection-api.ts';
import type {Entry, InteractionRow} from '../../actors/journal/journal.ts';
import type {Logger} from '../../actors/logger.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {asJson} from '../../machines/domain/json.ts';
import {type Message, t} from '../../machines/message.ts';
import {Packer} from '../../machines/trace/packing.ts';
import type {Step, TraceHead} from '../../machines/trace/step.ts';
import type {Given} from '../commands/define.ts';
import type {inspectOptions} from '../commands/inspect.ts';
import {say} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import {type Launched, withLoggedRuntime} from '../open-runtime.ts';
import {findOrNewest, findRow} from '../past/find-run.ts';
import {safeJson} from '../render/text.ts';
import {warn} from '../render/warning.ts';
import {onInterrupt, type Terminal, tryToWrite, write} from '../terminal.ts';
import {shippedChart} from './charts.ts';
import {pageFile} from './page/page.ts';
import type {Chart} from './replies.ts';
import {runHead} from './run-traces.ts';

const usualPort = 8788;

type Inspecting = Given<typeof inspectOptions>;

/** Resolves with the exit code. Rejects with AppError `usage`, `not_found`, `io`, and the errors of opening a runtime. */
export async function inspectRuns(parsed: Inspecting, terminal: Terminal): Promise<number> {
  const {options, cwd} = parsed;
  const {html, stately} = options;
  refuseConflicts(options);
  return await withLoggedRuntime(parsed, terminal, async (launched, logger) => {
    if (html === undefined && !stately)
      return await servePage({parsed, terminal, launched, logger});
    const row = await findOrNewest(launched.journal, parsed.operands[0], cwd);
    if (stately) return await writeEvents(row, launched, terminal);
    const text = await fileText(row, launched);
    if (html !== '-') return writeFile(resolve(cwd ?? '.', html ?? ''), text);
    await write(terminal.stdout, text);
    return 0;
  });
}

interface Serving {
  readonly parsed: Inspecting;
  readonly terminal: Terminal;
  readonly launched: Launched;
  readonly logger: Logger;
}

async function servePage({parsed, terminal, launched, logger}: Serving): Promise<number> {
  const {startInspector, addressOf} = await import('./inspector.ts');
  const {createRunTraces} = await import('./run-traces.ts');
  const [wanted] = parsed.operands;
  const row = wanted === undefined ? undefined : await findRow(launched.journal, wanted);
  const traces = createRunTraces(launched.runtime);
  const ending = Promise.withResolvers<void>();
  const stopListening = onInterrupt(ending.resolve);
  try {
    const inspector = await startInspector({
      traces,
      port: parsed.options.port ?? usualPort,
      logger,
    });
    try {
      const address = addressOf(inspector, row?.id);
      await write(terminal.stdout, `${address}\n`);
      await printNotes(address, {parsed, terminal, launched, logger});
      await ending.promise;
      return 0;
    } finally {
      await inspector.close();
    }
  } finally {
    stopListening();
  }
}

async function printNotes(
  address: string,
  {parsed, terminal, launched: {warnings}}: Serving,
): Promise<void> {
  const isOpened = !parsed.options.open || (await openedPage(address));
  if (parsed.quiet) return;
  await warn([...warnings, ...(isOpened ? [] : [cannotOpen])], terminal);
  await tryToWrite(terminal.stderr, `${say(secret, terminal)}\n`);
}

async function openedPage(address: string): Promise<boolean> {
  const {openPage} = await import('./open-page.ts');
  return await openPage(address);
}

const secret: Message = t`Anyone with this address can read your runs. Ctrl-C ends the page.`;

const cannotOpen: Message = t`no browser could be opened; open the address yourself`;

/** Throws AppError `usage` for flags that do not go together. */
function refuseConflicts({html, stately, port, open}: Inspecting['options']): void {
  const files = [...(html === undefined ? [] : ['html']), ...(stately ? ['stately'] : [])];
  const ofPage = [...(port === undefined ? [] : ['port']), ...(open ? ['open'] : [])];
  const [file, other] = [...files, ...ofPage];
  if (files.length === 0 || other === undefined) return;
  throw usageError(t`--${file ?? ''} opens no page, so it does not go with --${other}`);
}

async function fileText({id}: InteractionRow, {runtime, journal}: Launched): Promise<string> {
  const {requireUsable} = await import('../../actors/journal/chain.ts');
  const {entries} = requireUsable(await journal.log.salvage(id));
  return await runFile(id, entries, await runtime.inspectEntries(id, entries));
}

function writeFile(path: string, text: string): number {
  try {
    writeFileSync(path, text, {mode: 0o600});
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('io', `can't write ${path}: ${reason}`, {cause: error});
  }
}

async function writeEvents(
  {id}: InteractionRow,
  {runtime, journal}: Launched,
  {stdout}: Terminal,
): Promise<number> {
  const {requireUsable} = await import('../../actors/journal/chain.ts');
  const {statelyEvents} = await import('./stately.ts');
  const {machines} = await import('../../machines/index.ts');
  const {entries} = requireUsable(await journal.log.salvage(id));
  const {steps} = await runtime.inspectEntries(id, entries);
  for (const event of statelyEvents(steps, machines)) {
    // oxlint-disable-next-line no-await-in-loop -- in order, and as fast as the reader takes them
    await write(stdout, `${safeJson(event)}\n`);
  }
  return 0;
}

// A run as one file: the page of the inspector with the trace, the prompts and the charts of the run.

export async function runFile(
  id: string,
  entries: readonly Entry[],
  {steps, gaps, calls}: InspectedRun,
): Promise<string> {
  const data = {
    head: headOf(id, entries),
    steps,
    gaps,
    calls,
    charts: await chartsOf(steps),
  };
  return await pageFile(new Packer().pack(asJson(data)));
}

function headOf(id: string, entries: readonly Entry[]): TraceHead {
  return runHead(id, entries, 'suspended');
}

async function chartsOf(steps: readonly Step[]): Promise<Readonly<Record<string, Chart>>> {
  const names = new Set(
    steps.flatMap(({changes}) =>
      changes.flatMap((each) => (each.change === 'started' ? (each.machine ?? []) : [])),
    ),
  );
  const charts = await Promise.all(
    [...names].map(async (name) => [name, await shippedChart(name)] as const),
  );
  return Object.fromEntries(charts.flatMap(([name, chart]) => (chart ? [[name, chart]] : [])));
}
