/** The result of a run as text for stdout. */

import type {Denied, RunResult, TaskResult} from '../../machines/domain/result.ts';
import type {ReviewRound} from '../../machines/domain/review.ts';
import type {Source} from '../../machines/domain/tool.ts';
import {usageText} from './numbers.ts';
import {roundLines} from './round.ts';
import type {Style} from './style.ts';
import {escapedLines, oneLine} from './text.ts';

/** Without a limit a model's reason could fill screens: the journal keeps the whole. */
const maxLine = 500;

export interface ResultView {
  readonly style: Style;
  /** The reasons of those who approved, too. */
  readonly allReasons?: boolean;
}

/** An answer stands for itself, with its sources: whoever pipes it on wants nothing else. */
export function resultLines(result: RunResult, view: ResultView): string[] {
  return result.form === 'ask' ? askLines(result, view) : agentLines(result, view);
}

function askLines(result: RunResult, {style}: ResultView): string[] {
  const {status, answer, sources = []} = result;
  return [
    ...(status === 'completed' ? [] : headLines(result, style)),
    ...(answer === undefined ? [] : escapedLines(answer)),
    ...section('Sources', sources.map(sourceLine), style),
  ];
}

function sourceLine({place, quote}: Source): string {
  const cited = quote === undefined ? '' : `: “${quote.trim()}”`;
  return oneLine(`${place}${cited}`, maxLine);
}

function agentLines(result: RunResult, {style, allReasons = false}: ResultView): string[] {
  return [
    ...headLines(result, style),
    ...section(
      'Tasks',
      (result.tasks ?? []).flatMap((task) => taskLines(task, style)),
      style,
    ),
    ...section('Files written', filesWritten(result.tasks ?? []), style),
    ...section('Denied', (result.denied ?? []).flatMap(deniedLines), style),
    ...section('Votes', voteLines(result.reviews ?? [], style, allReasons), style),
    '',
    footerLine(result, style),
  ];
}

/** Which run it was, and what it took. */
export function footerLine({interaction, usage}: RunResult, style: Style): string {
  return style.dim(`${oneLine(interaction)} · ${usageText(usage)}`);
}

function filesWritten(tasks: readonly TaskResult[]): string[] {
  return [...new Set(tasks.flatMap(({written}) => written))].map((path) => oneLine(path));
}

export function voteLines(reviews: readonly ReviewRound[], style: Style, all: boolean): string[] {
  return reviews.flatMap((round) =>
    roundLines(round, style, {
      width: maxLine,
      all,
      label: oneLine(`${round.kind} "${round.title}", round ${round.round}`, 100),
    }),
  );
}

function headLines({status, summary, error}: RunResult, style: Style): string[] {
  const paint = status === 'completed' ? style.green : style.red;
  const [first = '', ...rest] = escapedLines(summary);
  const cause =
    error && !summary.includes(error.message)
      ? [style.red(`${oneLine(error.code, 60)}: ${oneLine(error.message, maxLine)}`)]
      : [];
  return [`${style.bold(paint(status))}: ${first}`, ...rest, ...cause];
}

function taskLines(task: TaskResult, style: Style): string[] {
  const head = `${oneLine(task.id, 60)} ${oneLine(task.description, maxLine)}`;
  if (task.status === 'succeeded') return [`${style.green('✓')} ${head}`];
  if (task.status === 'failed') {
    return [`${style.red('✗')} ${head}: ${oneLine(task.failure?.message ?? 'failed', maxLine)}`];
  }
  return [`${style.dim('–')} ${head}: ${task.status === 'skipped' ? 'skipped' : 'not reached'}`];
}

function deniedLines({tool, summary, reasons}: Denied): string[] {
  const what = summary.startsWith(tool) ? summary : `${tool} ${summary}`;
  return [oneLine(what, maxLine), ...reasons.map((reason) => `  └─ ${oneLine(reason, maxLine)}`)];
}

/** A titled block; nothing at all when it has no lines. */
export function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), ...lines.map((line) => `  ${line}`)];
}
