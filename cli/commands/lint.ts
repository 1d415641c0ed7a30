/** `quorate lint FILE[:EXPORT]…`: finds mistakes in charts from their structure alone. */

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import type {LintOptions} from '../../machines/testing/lint/lint-chart.ts';
import {rules} from '../../machines/testing/lint/rules.ts';
import type {LintReport} from '../charts/lint-machines.ts';
import {machineOperand} from '../charts/machine-file.ts';
import {entry} from '../help/fold.ts';
import type {Command, Flags, OutputFormat, Parsed} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {pageWidthOf, type Terminal, write} from '../terminal.ts';

const names = rules.map(({name}) => name);

const options: readonly Option[] = [
  {
    name: 'rule',
    takes: 'NAME',
    values: names,
    text: 'apply only this rule; several times: these rules',
  },
  {
    name: 'ignore',
    takes: 'NAME',
    values: names,
    text: 'leave this rule out; several times: these rules',
  },
  {
    name: 'events',
    takes: 'EVENTS',
    text: 'all events that the machine receives from others, such as SAVE,user.*: those that are\nhandled but not in the list are reported, and those that are in the list but not handled',
  },
  {name: 'strict', text: 'exit 1 for warnings, too'},
];

export const lint: Command = {
  operands: {
    usage: 'FILE…',
    what: 'modules that export machines of XState 5, or machines of Quorate',
    values: 'file',
    least: 1,
    most: Number.POSITIVE_INFINITY,
  },
  summary: 'find what is wrong with the charts of XState machines',
  detail: `Reads the charts of machines and reports what is wrong with them. Each FILE is ${machineOperand}: a module, or one of its
exports; without :EXPORT, all machines that it exports; or the name of a machine of Quorate. A module is imported, so its
code runs; the machines are not started. A chart does not show which events come from outside: any may come, unless
--events lists them.

An error: the chart cannot work as it is written. A warning: it may, but probably does not do what was meant. A state
accepts findings, for itself and for the states within it, by meta: {lint: {ignore: ['dead-end']}}. The rules:

${rules.map(({name, description}) => entry(name, description)).join('\n')}

Exit 0: no errors. 1: errors, or warnings with --strict. 2: a machine cannot be loaded.
--output json: {machines: [{machine, file, export, findings: [{rule, severity, state, transition, message, fix}]}], errors,
warnings}; jsonl: a machine a line. file and export are missing for a machine of Quorate, transition for a finding about
a state.`,
  options,
  obeys: ['output'],
  examples: [
    'quorate lint src/checkout.ts',
    'quorate lint src/checkout.ts:checkoutMachine src/cart.ts --ignore unnamed-assign --strict',
    'quorate lint src/checkout.ts --events "PAY,CANCEL,cart.*" --output json',
  ],
  run: async ({operands, flags, output, cwd = '.'}: Parsed, terminal) => {
    const lintOptions = optionsOf(flags);
    const {lintMachines} = await import('../charts/lint-machines.ts');
    const reports = await lintMachines(operands, cwd, lintOptions);
    return await writeReports(reports, {output, isStrict: 'strict' in flags}, terminal);
  },
};

function optionsOf({rule, ignore, events}: Flags): LintOptions {
  return {
    ...(rule === undefined ? {} : {rules: rule.map((name) => checkedRule('--rule', name))}),
    ...(ignore === undefined ? {} : {ignore: ignore.map((name) => checkedRule('--ignore', name))}),
    ...(events === undefined ? {} : {events: listed(events)}),
  };
}

function checkedRule(flag: string, name: string): string {
  if (names.includes(name)) return name;
  throw new AppError(
    'usage',
    `${flag}: there is no rule "${name}"${didYouMean(name, names)}; quorate help lint explains the rules`,
  );
}

function listed(values: readonly string[]): string[] {
  const events = values.flatMap((value) => value.split(',').map((event) => event.trim()));
  return events.filter((event) => event !== '');
}

interface ReportOptions {
  readonly output: OutputFormat;
  readonly isStrict: boolean;
}

/** Resolves with the exit code. */
async function writeReports(
  reports: readonly LintReport[],
  {output, isStrict}: ReportOptions,
  {stdout, env}: Terminal,
): Promise<number> {
  const [{countsOf, lintLines}, {safeJson}, {styleFor}] = await Promise.all([
    import('../render/tables/lint.ts'),
    import('../render/text.ts'),
    import('../render/style.ts'),
  ]);
  const {errors, warnings} = countsOf(reports);
  const texts = {
    text: () => lintLines(reports, {style: styleFor(stdout, env), width: pageWidthOf(stdout)}),
    json: () => [safeJson({machines: reports, errors, warnings}, 2)],
    jsonl: () => reports.map((report) => safeJson(report)),
  };
  await write(stdout, `${texts[output]().join('\n')}\n`);
  return errors > 0 || (isStrict && warnings > 0) ? 1 : 0;
}
