/** `quorate lint FILE[:EXPORT]…`: finds mistakes in charts from their structure alone. */

import {type LintOptions, rules} from '../../machines/testing/lint.ts';
import type {LintReport} from '../charts/lint-machines.ts';
import {machineOperand} from '../charts/machine-file.ts';
import {entry} from '../help/fold.ts';
import {inJapanese} from '../help/ja/translation.ts';
import type {Command, Flags, OutputFormat, Parsed} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {pageWidthOf, type Terminal, write} from '../terminal.ts';

const names = rules.map(({name}) => name);

const options: readonly Option[] = [
  {
    name: 'rule',
    takes: 'NAME',
    text: {
      en: 'apply only this rule; several times: these rules',
      ja: 'この規則だけを使う。繰り返せば複数',
    },
  },
  {
    name: 'ignore',
    takes: 'NAME',
    text: {
      en: 'leave this rule out; several times: these rules',
      ja: 'この規則を除く。繰り返せば複数',
    },
  },
  {name: 'strict', text: {en: 'exit 1 for warnings, too', ja: 'warning でも終了コード 1'}},
];

export const lint: Command = {
  operands: {
    usage: 'FILE…',
    what: {
      en: 'modules that export machines of XState 5, or machines of Quorate',
      ja: 'XState 5 のマシンを公開するモジュールか、Quorate のマシン',
    },
    least: 1,
    most: Number.POSITIVE_INFINITY,
  },
  summary: {
    en: 'find mistakes in the charts of XState machines',
    ja: 'XState マシンのチャートの誤りを見つける',
  },
  detail: {
    en: `Reads the charts of machines and reports mistakes in them. Each FILE is ${machineOperand}: a module, or one of its
exports; without :EXPORT, all machines that it exports; or the name of a machine of Quorate. A module is imported, so its
code runs; the machines are not started.

An error: the chart cannot work as it is written. A warning: it can work, but probably not as intended. A state
accepts findings, for itself and for the states within it, by meta: {lint: {ignore: ['dead-end']}}. The rules:

${rules.map(({name, description}) => entry(name, description)).join('\n')}

Exit 0: no errors. 1: errors, or warnings with --strict. 2: a machine cannot be loaded.
--output json: {machines: [{machine, file, export, findings: [{rule, severity, state, transition, message, fix}]}], errors,
warnings}; jsonl: a machine a line. file and export are missing for a machine of Quorate, transition for a finding about
a state.`,
    ja: `マシンのチャートを読み、誤りを報告します。各 FILE は ${machineOperand} です: モジュール、またはその公開の 1 つ。:EXPORT が
なければ公開するすべてのマシン。または Quorate のマシンの名前。モジュールは読み込まれるので、そのコードが動きます。
マシンは起動しません。

error: 書かれたままでは動かない。warning: 動くかもしれないが、おそらく意図と違う。状態は、自身とその中の状態についての
指摘を meta: {lint: {ignore: ['dead-end']}} で受け入れられます。規則:

${rules.map(({name, description}) => entry(name, inJapanese(description))).join('\n')}

終了コード 0: error なし。1: error、または --strict で warning あり。2: マシンを読み込めない。
--output json: {machines: [{machine, file, export, findings: [{rule, severity, state, transition, message, fix}]}], errors,
warnings}。jsonl: 1 行に 1 マシン。Quorate のマシンには file と export がなく、状態についての指摘には transition がない。`,
  },
  options,
  obeys: ['output'],
  examples: [
    'quorate lint src/checkout.ts',
    'quorate lint src/checkout.ts:checkoutMachine src/cart.ts --ignore dead-end --strict',
    'quorate lint src/checkout.ts --rule unhandled-error --output json',
  ],
  run: async ({operands, flags, output, cwd = '.'}: Parsed, terminal) => {
    const lintOptions = optionsOf(flags);
    const {lintMachines} = await import('../charts/lint-machines.ts');
    const reports = await lintMachines(operands, cwd, lintOptions);
    return await printReports(reports, {output, isStrict: 'strict' in flags}, terminal);
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
  throw usageError({
    en: `${flag}: there is no rule "${name}"${near.en}; quorate help lint explains the rules`,
    ja: `${flag}: 規則 "${name}" はありません${near.ja}。規則の説明: quorate help lint`,
  });
}

interface PrintOptions {
  readonly output: OutputFormat;
  readonly isStrict: boolean;
}

/** Resolves with the exit code. */
async function printReports(
  reports: readonly LintReport[],
  {output, isStrict}: PrintOptions,
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
    json: () => [safeJson({machines: reports, errors, warnings}, 2)],
    jsonl: () => reports.map((report) => safeJson(report)),
  };
  await write(stdout, `${texts[output]().join('\n')}\n`);
  return errors > 0 || (isStrict && warnings > 0) ? 1 : 0;
}
