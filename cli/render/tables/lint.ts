/** The findings of the chart lint, for people. */

import {t} from '../../../machines/message.ts';
import type {Finding} from '../../../machines/testing/lint.ts';
import type {LintReport} from '../../charts/lint-machines.ts';
import {say} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';

interface LintView {
  readonly style: Style;
  readonly width: number;
}

/** The machines with findings, grouped by rule; then the counts. */
export function lintLines(reports: readonly LintReport[], view: LintView): string[] {
  const faulty = reports.filter(({findings}) => findings.length > 0);
  return [...faulty.flatMap((report) => machineLines(report, view)), summary(reports, view)];
}

function machineLines(report: LintReport, view: LintView): string[] {
  const {findings} = report;
  const groups = Map.groupBy(findings, ({rule, severity, fix}) => `${rule} ${severity} ${fix}`);
  const lines = [...groups.values()].flatMap((group) => groupLines(group, view));
  return [view.style.bold(nameOf(report)), ...lines, ''];
}

/** Findings of one rule with the same fix. */
function groupLines(group: readonly Finding[], {style, width}: LintView): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const {severity, rule, fix} = first;
  const paint = severity === 'error' ? style.red : style.yellow;
  const faults = group.map(({state, transition, message}) => `${transition ?? state}: ${message}`);
  return [
    `  ${paint(severity)} ${rule}`,
    ...faults.flatMap((fault) => proseRows(fault, width, '    ')),
    ...proseRows(say(t`fix: ${fix}`, style), width, '    ').map(style.dim),
  ];
}

function summary(reports: readonly LintReport[], {style}: LintView): string {
  const [first] = reports;
  const subject =
    reports.length === 1 && first
      ? nameOf(first)
      : say(t`${reports.length} {machine|machines}`, style);
  const {errors, warnings} = countsOf(reports);
  if (errors + warnings === 0)
    return `${style.green('✓')} ${say(t`${subject}: no findings`, style)}`;
  return `${subject}: ${say(t`${errors} {error|errors}, ${warnings} {warning|warnings}`, style)}`;
}

export function countsOf(reports: readonly LintReport[]): {
  readonly errors: number;
  readonly warnings: number;
} {
  const all = reports.flatMap(({findings}) => findings);
  const errors = all.filter(({severity}) => severity === 'error').length;
  return {errors, warnings: all.length - errors};
}

/** `checkout.ts:checkoutMachine`, or the id of a machine of Quorate. */
function nameOf({machine, file, export: name}: LintReport): string {
  return oneLine(file === undefined ? machine : `${file}:${name}`);
}
