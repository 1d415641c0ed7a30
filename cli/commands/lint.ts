/** `quorate lint FILE[:EXPORT]…`: finds mistakes in charts from their structure alone. */

import type {AppError} from '../../machines/domain/app-error.ts';
import {listed, t} from '../../machines/message.ts';
import {type LintOptions, rules} from '../../machines/testing/lint.ts';
import type {LintReport} from '../charts/lint-machines.ts';
import {importing, machineOperand} from '../charts/machine-file.ts';
import {say} from '../language.ts';
import type {Command, Flags, Option, OutputFormat, Parsed} from '../line/command.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';
import {pageWidthOf, type Terminal, write} from '../terminal.ts';

const explained = listed(
  rules.map(({name, description}) => t`  ${name}\n      ${{text: description, values: []}}`),
  (before, last) => t`${before}\n${last}`,
);

const names = rules.map(({name}) => name);

const options: readonly Option[] = [
  {
    name: 'rule',
    takes: 'NAME',
    text: t`apply only this rule; several times: these rules`,
  },
  {
    name: 'ignore',
    takes: 'NAME',
    text: t`leave this rule out; several times: these rules`,
  },
  {name: 'strict', text: t`exit 1 for warnings, too`},
];

export const lint: Command = {
  operands: {
    usage: 'FILE…',
    what: t`modules that export machines of XState 5, or machines of Quorate`,
    least: 1,
    most: Number.POSITIVE_INFINITY,
  },
  summary: t`find mistakes in the charts of XState machines`,
  detail: t`Reads the charts of machines and reports mistakes in them. Each FILE is ${machineOperand}: a module, or one of its
exports; without :EXPORT, all machines that it exports; a folder or a glob, for all modules in it that call createMachine; or
the name of a machine of Quorate. A module is imported, so its code runs; the machines are not started.

${importing}

An error: the chart cannot work as it is written. A warning: it can work, but probably not as intended. A state
accepts findings, for itself and for the states within it, by meta: {lint: {ignore: ['dead-end']}}. The rules:

${explained}

Exit 0: no errors. 1: errors, or warnings with --strict. 2: a machine cannot be loaded.
--output json: {machines: [{machine, file, export, findings: [{rule, severity, state, transition, message, fix}]}], errors,
warnings, failed: [message]}; jsonl: a machine a line. file and export are missing for a machine of Quorate, transition for a finding about
a state.`,
  options,
  obeys: ['output'],
  examples: [
    'quorate lint src',
    'quorate lint src/checkout.ts:checkoutMachine src/cart.ts --ignore dead-end --strict',
    'quorate lint src/checkout.ts --rule unhandled-error --output json',
  ],
  run: async ({operands, flags, output, cwd = '.'}: Parsed, terminal) => {
    const lintOptions = optionsOf(flags);
    const {lintMachines} = await import('../charts/lint-machines.ts');
    const failures: AppError[] = [];
    const reports = await lintMachines(operands, cwd, lintOptions, (error) => failures.push(error));
    const printing = {output, isStrict: 'strict' in flags, failures};
    const code = await printReports(reports, printing, terminal);
    if (failures.length === 0) return code;
    const lines = failures.map(({wording}) => `quorate: ${oneLine(say(wording, terminal))}\n`);
    await write(terminal.stderr, lines.join(''));
    return 2;
  },
};

function optionsOf({rule, ignore}: Flags): LintOptions {
  return {
    ...(rule === undefined ? {} : {rules: rule.map((name) => checkedRule('--rule', name))}),
    ...(ignore === undefined ? {} : {ignore: ignore.map((name) => checkedRule('--ignore', name))}),
  };
}

function checkedRule(flag: string, name: string): string {
  if (names.includes(name)) return name;
  const near = meant(name, names);
  throw usageError(
    t`${flag}: there is no rule "${name}"${near}; quorate help lint explains the rules`,
  );
}

interface PrintOptions {
  readonly output: OutputFormat;
  readonly isStrict: boolean;
  /** Modules of a folder that can't be imported. */
  readonly failures: readonly AppError[];
}

/** Resolves with the exit code. */
async function printReports(
  reports: readonly LintReport[],
  {output, isStrict, failures}: PrintOptions,
  {stdout, env, language}: Terminal,
): Promise<number> {
  const [{countsOf, lintLines}, {safeJson}, {styleFor}] = await Promise.all([
    import('../render/tables/lint.ts'),
    import('../render/text.ts'),
    import('../render/style.ts'),
  ]);
  const {errors, warnings} = countsOf(reports);
  const texts = {
    text: () =>
      lintLines(reports, {style: styleFor(stdout, {env, language}), width: pageWidthOf(stdout)}),
    json: () => {
      const failed = failures.map(({message}) => message);
      return [safeJson({machines: reports, errors, warnings, ...(failed[0] && {failed})}, 2)];
    },
    jsonl: () => reports.map((report) => safeJson(report)),
  };
  await write(stdout, `${texts[output]().join('\n')}\n`);
  return errors > 0 || (isStrict && warnings > 0) ? 1 : 0;
}
