/** `quorate prune [ID…]`: removes the named runs, or old, large or unwanted ones, from the journal. */

import type {PruneOptions, PruneReport} from '../../actors/sessions/prune.ts';
import {interactionForms} from '../../machines/domain/interaction-form.ts';
import {toAgeMs, toBytes} from '../line/amounts.ts';
import type {Command, Flags, Parsed} from '../line/command.ts';
import {meant, usageError} from '../line/usage-error.ts';
import type {Launched} from '../open-runtime.ts';
import {retentionTexts} from '../render/tables/retention-texts.ts';
import {pruneLines} from '../render/tables/retention.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {isInteractive, pageWidthOf, type Terminal, write} from '../terminal.ts';

export const prune: Command = {
  operands: {
    usage: '[ID…]',
    what: {en: 'IDs of runs', ja: '実行の ID'},
    least: 0,
    most: Infinity,
  },
  summary: {
    en: 'remove runs from the journal for good: the named ones, or by age, size and form',
    ja: '実行をジャーナルから完全に消す: ID で、または期間、大きさ、形式で選んで',
  },
  detail: {
    en: `Removes the named runs, open or ended, from the journal and from the bytes of its files; it asks about each, and refuses one
that a process is running: cancel it first.

Without an ID it removes the runs that meet all of the given criteria, with their entries and the earlier contents of their
files, which undo needs. At least one criterion is required. Files that runs wrote to their folders stay. Then the journal's files are made
smaller; on a full disk, or while another process reads, that waits for the next prune.

Open runs are removed, too: they can't be continued then. --keep-open keeps them. Always kept are runs that a process is
running, and open runs with a command that may have run or not: resume or cancel those, or remove them by their IDs. What is kept is
printed with the reason.

On a terminal it shows the runs and asks, then removes only those, unless they have changed since; elsewhere it needs --yes.
Exit 1 if the answer is no, or if a run could not be removed.`,
    ja: `ID で示した実行を、終わったかどうかによらず、ジャーナルとそのファイルのバイトから消します。1 つずつ尋ねます。プロセスが
動かしている実行は断ります。先に取り消してください。

ID がなければ、示した条件をすべて満たす実行を、項目と、undo に要るファイルの前の内容とともに消します。条件は 1 つ以上必要です。実行が
フォルダに書いたファイルは残ります。その後、ジャーナルのファイルを小さくします。ディスクに空きがないときや、別のプロセスが
読んでいる間は、次の prune を待ちます。

未完了の実行も消え、もう続けられません。--keep-open を付けると残ります。プロセスが動かしている実行と、コマンドが実行されたか
どうか分からない未完了の実行は、いつも残ります。それらは resume、cancel するか、ID で消してください。残したものは理由と
ともに示します。

端末では先に実行を示して尋ね、その後に変わっていないものだけを消します。それ以外では --yes が必要です。
答えが「いいえ」か、消せない実行があれば終了コード 1 です。`,
  },
  options: [
    {
      name: 'older',
      takes: 'AGE',
      text: {
        en: 'runs whose last entry is older: 12h, 30d, 8w',
        ja: '最後の項目がこれより古い実行: 12h、30d、8w',
      },
    },
    {
      name: 'larger',
      takes: 'SIZE',
      text: {
        en: 'runs that take more space in the journal: 500kb, 10mb',
        ja: 'ジャーナルでこれより大きい実行: 500kb、10mb',
      },
    },
    {
      name: 'form',
      takes: 'FORM',
      text: {en: 'runs of this form', ja: 'この形式の実行'},
    },
    {name: 'keep-open', text: {en: 'keep runs that have not ended', ja: '未完了の実行を残す'}},
    {
      name: 'dry-run',
      text: {en: 'change nothing: show what would be done', ja: '何も変えず、することだけを示す'},
    },
    {name: 'yes', text: {en: 'do not ask', ja: '尋ねない'}},
  ],
  obeys: ['output'],
  examples: [
    'quorate prune ID --yes',
    'quorate prune --older 30d --dry-run',
    'quorate prune --form ask --older 7d --yes',
  ],
  run: async (parsed, terminal) => {
    if (parsed.operands.length > 0) return await eraseRuns(parsed, terminal);
    const criteria = criteriaIn(parsed.flags);
    const isDry = parsed.flags['dry-run'] !== undefined;
    const isSure = isDry || parsed.flags['yes'] !== undefined;
    if (!isSure && !isInteractive(terminal)) throw needsYes;
    const {openRuntime} = await import('../open-runtime.ts');
    const {runtime} = await openRuntime(parsed, terminal);
    try {
      const chosen = isSure ? criteria : await askedCriteria(criteria, runtime, terminal);
      if (!chosen) return 1;
      const report = await runtime.prune({...chosen, dryRun: isDry});
      await writeReport(report, isDry, parsed, terminal);
      return report.kept.some(({why}) => why === 'failed') ? 1 : 0;
    } finally {
      await runtime.close();
    }
  },
};

/** Removes exactly the named runs. Rejects with AppError `busy` for one that a process is running. */
async function eraseRuns(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {operands, flags, output} = parsed;
  if (Object.keys(flags).some((name) => name !== 'yes')) throw idsAndCriteria;
  const isSure = flags['yes'] !== undefined;
  if (!isSure && !isInteractive(terminal)) throw needsYes;
  const {openRuntime} = await import('../open-runtime.ts');
  const {findRows} = await import('../past/find-run.ts');
  const {confirm} = await import('../terminal/confirm.ts');
  const {runtime, journal} = await openRuntime(parsed, terminal);
  const texts = retentionTexts(terminal);
  try {
    const rows = await findRows(journal, operands);
    const answers = await Array.fromAsync(rows, async ({id, request}) => {
      const question = texts.eraseOne(oneLine(id), oneLine(request, 60));
      const isWanted = isSure || (await confirm(question, terminal));
      if (isWanted) await runtime.erase(id);
      return isWanted;
    });
    const erased = rows.flatMap(({id}, index) => (answers[index] ? [id] : []));
    const text =
      output === 'text'
        ? erased.map((id) => `${texts.erased(oneLine(id))}\n`).join('')
        : `${safeJson({erased})}\n`;
    await write(terminal.stdout, text);
    if (erased.length === rows.length) return 0;
    if (erased.length === 0) await write(terminal.stderr, `${texts.nothingErased}\n`);
    return 1;
  } finally {
    await runtime.close();
  }
}

const idsAndCriteria = usageError({
  en: 'quorate prune takes IDs or criteria, not both',
  ja: 'quorate prune が取るのは ID か条件のどちらかです',
});

function criteriaIn(flags: Flags): PruneOptions {
  const [age, size, form] = ['older', 'larger', 'form'].map((name) => flags[name]?.at(-1));
  const criteria: PruneOptions = {
    ...(age === undefined ? {} : {olderThanMs: toAgeMs('--older', age)}),
    ...(size === undefined ? {} : {largerThanBytes: toBytes('--larger', size)}),
    ...(form === undefined ? {} : {form: formNamed(form)}),
  };
  if (Object.keys(criteria).length === 0) throw needsCriterion;
  return {...criteria, keepOpen: flags['keep-open'] !== undefined};
}

function formNamed(name: string): string {
  const form = interactionForms.find((each) => each === name);
  if (form !== undefined) return form;
  const [near, all] = [meant(name, interactionForms), interactionForms.join(', ')];
  throw usageError({
    en: `--form takes ${all}, not "${oneLine(name, 40)}"${near.en}`,
    ja: `--form の値は ${all} です（"${oneLine(name, 40)}" は使えません）${near.ja}`,
  });
}

/** Shows what would be removed, and asks. Resolves with the criteria for exactly these runs; undefined if the answer is no. */
async function askedCriteria(
  criteria: PruneOptions,
  runtime: Launched['runtime'],
  terminal: Terminal,
): Promise<PruneOptions | undefined> {
  const {stderr} = terminal;
  const texts = retentionTexts(terminal);
  const report = await runtime.prune({...criteria, dryRun: true});
  const page = {...terminal, width: pageWidthOf(stderr)};
  await write(stderr, `${pruneLines(report, {...page, isDry: true}).join('\n')}\n`);
  const chosen = {...criteria, only: report.removed};
  if (report.removed.length === 0) return chosen;
  const open = report.removed.filter(({status}) => status === undefined).length;
  const {confirm} = await import('../terminal/confirm.ts');
  if (await confirm(texts.eraseMany(report.removed.length, open), terminal)) return chosen;
  await write(stderr, `${texts.nothingErased}\n`);
  return undefined;
}

async function writeReport(
  report: PruneReport,
  isDry: boolean,
  {output}: Parsed,
  terminal: Terminal,
): Promise<void> {
  const text =
    output === 'text'
      ? pruneLines(report, {...terminal, width: pageWidthOf(terminal.stdout), isDry}).join('\n')
      : safeJson({...report, dryRun: isDry}, output === 'json' ? 2 : undefined);
  await write(terminal.stdout, `${text}\n`);
}

const needsYes = usageError({
  en: 'without a terminal, quorate prune needs --yes; --dry-run shows what it would remove',
  ja: '端末がないとき、quorate prune には --yes が必要です。--dry-run で消すものを確かめられます',
});

const needsCriterion = usageError({
  en: 'quorate prune needs an ID or a criterion: --older AGE, --larger SIZE or --form FORM',
  ja: 'quorate prune には ID か条件が必要です: --older AGE、--larger SIZE、--form FORM',
});
