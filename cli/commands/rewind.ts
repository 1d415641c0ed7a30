/** `quorate rewind ID --to POINT`: a fork that also takes the later file changes of the run back. */

import type {UndoReport} from '../../actors/undo/undo-report.ts';
import {defaultForm} from '../../machines/domain/interaction-form.ts';
import {answersOption} from '../interview/answers-option.ts';
import {oneRun, type Command, type Parsed} from '../line/command.ts';
import {pointOption} from '../line/point-option.ts';
import {usageError} from '../line/usage-error.ts';
import {withLog} from '../log.ts';
import {changesIn, followContinued, interviewOptions} from '../past/continued.ts';
import {findRow} from '../past/find-run.ts';
import {undoLines} from '../render/result/undo.ts';
import {styleFor} from '../render/style.ts';
import {momentTexts} from '../render/tables/moment-texts.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {isInteractive, type Terminal, write} from '../terminal.ts';

export const rewindRun: Command = {
  operands: oneRun,
  summary: {
    en: 'go back to an earlier point of a run, with its files, and continue from there',
    ja: '実行の以前の時点にファイルごと戻り、そこから続ける',
  },
  detail: {
    en: `Takes the file changes that run ID made after a point back, as quorate undo does, and continues from there as a new run, as
quorate fork does. First it shows which files change, and on a terminal asks. Elsewhere it needs --yes. If a file can't be
taken back, because something else has changed it since, nothing is changed: rewind names the file and exits 1. Changes by
commands outside the folder stay; it says so.`,
    ja: `実行 ID がある時点より後にファイルに加えた変更を quorate undo と同じく元に戻し、quorate fork と同じくそこから新しい実行と
して続けます。先に変わるファイルを示し、端末では尋ねます。それ以外では --yes が必要です。その後ほかのものが変えたために
戻せないファイルがあれば、何も変えず、そのファイルを示して終了コード 1 です。コマンドがフォルダの外に加えた変更は残り、
そう示します。`,
  },
  options: [
    pointOption('to', {en: 'the point to go back to', ja: '戻る時点'}),
    {
      name: 'dry-run',
      text: {en: 'change nothing: show what would be done', ja: '何も変えず、することだけを示す'},
    },
    {name: 'yes', text: {en: 'do not ask', ja: '尋ねない'}},
    answersOption,
  ],
  examples: ['quorate rewind ID --to plan.2 --dry-run', 'quorate rewind ID --to 12 --yes'],
  obeys: ['output', 'log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  endsWithResult: defaultForm,
  run: async (parsed, terminal) => {
    const {to, isDry, isSure} = wishesIn(parsed, terminal);
    const {openRuntime} = await import('../open-runtime.ts');
    const {runtime, journal, warnings} = await openRuntime(parsed, terminal);
    try {
      const row = await findRow(journal, parsed.operands[0] ?? '');
      const {files} = await runtime.rewind(row.id, {to, dryRun: true});
      const isRefused = files.isRefused === true;
      if (isDry || isRefused) return await showPreview(files, isRefused, {parsed, terminal});
      if (!isSure && !(await isWanted(files, to, terminal))) return 1;
      return await withLog(parsed, terminal.env, async (log) => {
        const interview = await interviewOptions(row.form, parsed, terminal);
        const {createForkPast} = await import('../past/fork-past.ts');
        const {prepare, past} = createForkPast(journal, undefined);
        const how = {to, ...(await changesIn(parsed)), prepare};
        const {run, files: late} = await runtime.rewind(row.id, how);
        if (!run) return await showPreview(late, true, {parsed, terminal});
        const forked = {run, ...past(), interview, warnings};
        return await followContinued(forked, {parsed, terminal, log});
      });
    } finally {
      await runtime.close();
    }
  },
};

interface Wishes {
  readonly to: string;
  readonly isDry: boolean;
  readonly isSure: boolean;
}

function wishesIn(parsed: Parsed, terminal: Terminal): Wishes {
  const to = pointIn(parsed);
  const [isDry, isSure] = [
    parsed.flags['dry-run'] !== undefined,
    parsed.flags['yes'] !== undefined,
  ];
  if (!isDry && !isSure && !isInteractive(terminal)) throw needsYes();
  return {to, isDry, isSure};
}

interface Shown {
  readonly parsed: Parsed;
  readonly terminal: Terminal;
}

async function showPreview(
  report: UndoReport,
  isRefused: boolean,
  {parsed, terminal}: Shown,
): Promise<number> {
  const {stdout, env, language} = terminal;
  const style = styleFor(stdout, {env, language});
  const texts = momentTexts(style);
  const lines = [
    ...(isRefused ? [style.yellow(texts.kept(report.interaction))] : []),
    ...undoLines(report, {style, dryRun: true}),
  ];
  const isText = parsed.output === 'text';
  await write(stdout, `${isText ? lines.join('\n') : safeJson({...report, dryRun: true})}\n`);
  return isRefused ? 1 : 0;
}

/** Shows the preview and asks. */
async function isWanted(report: UndoReport, to: string, terminal: Terminal): Promise<boolean> {
  const {env, language, stderr} = terminal;
  const style = styleFor(stderr, {env, language});
  const texts = momentTexts(style);
  const {confirm} = await import('../terminal/confirm.ts');
  await write(stderr, `${undoLines(report, {style, dryRun: true}).join('\n')}\n`);
  const isYes = await confirm(texts.ask(oneLine(to)), terminal);
  if (!isYes) await write(stderr, `${texts.none}\n`);
  return isYes;
}

function pointIn({flags}: Parsed): string {
  const to = flags['to']?.at(-1);
  if (to !== undefined) return to;
  throw usageError({
    en: 'quorate rewind needs a point: --to 12, --to plan.2; quorate verify -v ID lists them',
    ja: 'quorate rewind には時点が必要です: --to 12、--to plan.2。quorate verify -v ID で一覧できます',
  });
}

function needsYes(): Error {
  return usageError({
    en: 'without a terminal, quorate rewind needs --yes; --dry-run shows what it would change',
    ja: '端末がないとき、quorate rewind には --yes が必要です。--dry-run で変わるものを見られます',
  });
}
