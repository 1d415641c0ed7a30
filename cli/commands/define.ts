/** Defines commands: options with the types of their values, and reports, which are what a command reads and how it prints. */

import type {Journal} from '../../actors/journal/journal.ts';
import type {Command, Flags, Option, Parsed} from '../line/command.ts';
import type {ReadOption} from '../line/option-values.ts';
import {withJournal} from '../past/open-journal.ts';
import {printReport, type Report, reportView} from '../render/report.ts';
import {tryToWrite, type Terminal} from '../terminal.ts';

/** By name, in the order of the help. One without `read` only sets keys. */
type Options = Readonly<Record<string, Omit<Option, 'name'> | ReadOption<unknown>>>;

/** The values of options. */
export type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends ReadOption<infer Value> ? Value : undefined;
};

/** A command line with the values of the command's own options. */
export interface Given<O extends Options> extends Parsed {
  readonly options: ValuesOf<O>;
}

type Definition<O extends Options> = Omit<Command, 'options' | 'run'> & {readonly options?: O};

type Perform<O extends Options, Result> = (given: Given<O>, terminal: Terminal) => Promise<Result>;

/** `run` receives the values of the options, which are checked before it is called. */
export function command<O extends Options>({
  options,
  run,
  ...rest
}: Definition<O> & {readonly run: Perform<O, number>}): Command {
  return {
    ...rest,
    options: Object.entries(options ?? {}).map(([name, option]) => Object.assign({name}, option)),
    run: async (parsed, terminal) =>
      await run({...parsed, options: valuesIn(parsed.flags, options)}, terminal),
  };
}

function valuesIn<O extends Options>(flags: Flags, options?: O): ValuesOf<O> {
  const values = Object.entries(options ?? {}).map(([name, option]) => [
    name,
    'read' in option ? option.read(`--${name}`, flags[name] ?? []) : undefined,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value is what its option reads
  return Object.fromEntries(values) as ValuesOf<O>;
}

export interface CommandReport extends Report {
  /** Absent: 0. */
  readonly exitCode?: number;
  /** For stderr, after the report. */
  readonly notes?: Report['lines'];
  /** Of the journal after what was read: thrown when the report is printed. */
  readonly damage?: Error | undefined;
}

/** A command that prints what `report` resolves with. */
export function reportCommand<O extends Options>({
  report,
  ...rest
}: Definition<O> & {readonly report: Perform<O, CommandReport>}): Command {
  return command({
    ...rest,
    run: async (given: Given<O>, terminal) => {
      const {exitCode = 0, notes, damage, ...printed} = await report(given, terminal);
      await printReport(printed, given, terminal);
      if (notes) await printNotes(notes, terminal);
      if (damage) throw damage;
      return exitCode;
    },
  });
}

async function printNotes(notes: Report['lines'], terminal: Terminal): Promise<void> {
  const lines = notes(reportView(terminal.stderr, terminal));
  await tryToWrite(terminal.stderr, lines.map((line) => `${line}\n`).join(''));
}

/** A command that reports on past runs, from a journal that it only reads. */
export function pastCommand<O extends Options>({
  report,
  ...rest
}: Definition<O> & {
  readonly report: (
    journal: Journal,
    given: Given<O>,
    terminal: Terminal,
  ) => Promise<CommandReport>;
}): Command {
  return reportCommand({
    ...rest,
    report: async (given: Given<O>, terminal) =>
      await withJournal(terminal, async (journal) => await report(journal, given, terminal)),
  });
}
