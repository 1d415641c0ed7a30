/** `quorate prune [ID…]`: removes the named runs, or old, large or unwanted ones, from the journal. */

import type {PrunedRun, PruneOptions, PruneReport} from '../../actors/sessions/prune.ts';
import {interactionForms} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {type Reader, say, wordIn} from '../language.ts';
import type {Parsed} from '../line/command.ts';
import {choiceOption, switchOption, toAgeMs, toBytes, valueOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import type {Launched} from '../open-runtime.ts';
import {ageText, bytesText} from '../render/numbers.ts';
import {printReport, type Report} from '../render/report.ts';
import {oneLine, padTo, widthOfText, wrapWords} from '../render/text.ts';
import {isInteractive, pageWidthOf, type Terminal, write} from '../terminal.ts';
import {command, type ValuesOf} from './define.ts';

const options = {
  older: valueOption('AGE', t`runs whose last entry is older: 12h, 30d, 8w`, toAgeMs),
  larger: valueOption('SIZE', t`runs that take more space in the journal: 500kb, 10mb`, toBytes),
  form: choiceOption('FORM', t`runs of this form`, interactionForms),
  'keep-open': switchOption(t`keep runs that have not ended`),
  'dry-run': switchOption(t`change nothing: show what would be done`),
  yes: switchOption(t`do not ask`),
};

export const prune = command({
  operands: {
    usage: '[ID…]',
    what: t`IDs of runs`,
    least: 0,
    most: Infinity,
  },
  summary: t`remove runs from the journal for good: the named ones, or by age, size and form`,
  detail: t`Removes the named runs, open or ended, from the journal and from the bytes of its files; it asks about each, and refuses one
that a process is running: cancel it first.

Without an ID it removes the runs that meet all of the given criteria, with their entries and the earlier contents of their
files, which undo needs. At least one criterion is required. Files that runs wrote to their folders stay. Then the journal's files are made
smaller; on a full disk, or while another process reads, that waits for the next prune.

Open runs are removed, too: they can't be continued then. --keep-open keeps them. Always kept are runs that a process is
running, and open runs with a command that may have run or not: resume or cancel those, or remove them by their IDs. What is kept is
printed with the reason.

On a terminal it shows the runs and asks, then removes only those, unless they have changed since; elsewhere it needs --yes.
Exit 1 if the answer is no, or if a run could not be removed.`,
  options,
  obeys: ['output'],
  examples: [
    'quorate prune ID --yes',
    'quorate prune --older 30d --dry-run',
    'quorate prune --form ask --older 7d --yes',
  ],
  run: async (given, terminal) => {
    const {options: values, operands} = given;
    const isDry = values['dry-run'];
    if (operands.length > 0 && Object.keys(given.flags).some((name) => name !== 'yes'))
      throw idsAndCriteria;
    const criteria = operands.length > 0 ? undefined : criteriaIn(values);
    const isSure = isDry || values.yes;
    if (!isSure && !isInteractive(terminal)) throw needsYes;
    const {withRuntime} = await import('../open-runtime.ts');
    return await withRuntime(given, terminal, async ({runtime, journal}) => {
      if (!criteria) return await eraseRuns({runtime, journal, isSure}, given, terminal);
      const chosen = isSure ? criteria : await askedCriteria(criteria, runtime, terminal);
      if (!chosen) return 1;
      const report = await runtime.prune({...chosen, dryRun: isDry});
      const lines: Report['lines'] = (view) => pruneLines(report, {...terminal, ...view, isDry});
      await printReport({data: {...report, dryRun: isDry}, lines}, given, terminal);
      return report.kept.some(({why}) => why === 'failed') ? 1 : 0;
    });
  },
});

interface Erasing extends Pick<Launched, 'runtime' | 'journal'> {
  readonly isSure: boolean;
}

/** Removes exactly the named runs. Rejects with AppError `busy` for one that a process is running. */
async function eraseRuns(
  {runtime, journal, isSure}: Erasing,
  parsed: Parsed,
  terminal: Terminal,
): Promise<number> {
  const {findRows} = await import('../past/find-run.ts');
  const {confirm} = await import('../terminal/surface.ts');
  const rows = await findRows(journal, parsed.operands);
  const answers = await Array.fromAsync(rows, async ({id, request}) => {
    const question = t`Remove ${oneLine(id)} (${oneLine(request, 60)}) from the journal for good?`;
    const isWanted = isSure || (await confirm(question, terminal));
    if (isWanted) await runtime.erase(id);
    return isWanted;
  });
  const erased = rows.flatMap(({id}, index) => (answers[index] ? [id] : []));
  const lines: Report['lines'] = ({style}) =>
    erased.map((id) => say(t`erased ${oneLine(id)}`, style));
  await printReport({data: {erased}, lines}, parsed, terminal);
  if (erased.length === rows.length) return 0;
  if (erased.length === 0)
    await write(terminal.stderr, `${say(t`nothing was removed`, terminal)}\n`);
  return 1;
}

const idsAndCriteria = usageError(t`quorate prune takes IDs or criteria, not both`);

function criteriaIn({
  older,
  larger,
  form,
  'keep-open': keepOpen,
}: ValuesOf<typeof options>): PruneOptions {
  if (older === undefined && larger === undefined && form === undefined) throw needsCriterion;
  return {
    ...(older === undefined ? {} : {olderThanMs: older}),
    ...(larger === undefined ? {} : {largerThanBytes: larger}),
    ...(form === undefined ? {} : {form}),
    keepOpen,
  };
}

/** Shows what would be removed, and asks. Resolves with the criteria for exactly these runs; undefined if the answer is no. */
async function askedCriteria(
  criteria: PruneOptions,
  runtime: Launched['runtime'],
  terminal: Terminal,
): Promise<PruneOptions | undefined> {
  const {stderr} = terminal;
  const report = await runtime.prune({...criteria, dryRun: true});
  const page = {...terminal, width: pageWidthOf(stderr)};
  await write(stderr, `${pruneLines(report, {...page, isDry: true}).join('\n')}\n`);
  const chosen = {...criteria, only: report.removed};
  if (report.removed.length === 0) return chosen;
  const open = report.removed.filter(({status}) => status === undefined).length;
  const all = report.removed.length;
  const question =
    open === 0
      ? t`Remove ${all} {run|runs} for good?`
      : t`Remove ${all} {run|runs} for good, ${open} of which can still be continued?`;
  const {confirm} = await import('../terminal/surface.ts');
  if (await confirm(question, terminal)) return chosen;
  await write(stderr, `${say(t`nothing was removed`, terminal)}\n`);
  return undefined;
}

const needsYes = usageError(
  t`without a terminal, quorate prune needs --yes; --dry-run shows what it would remove`,
);

const needsCriterion = usageError(
  t`quorate prune needs an ID or a criterion: --older AGE, --larger SIZE or --form FORM`,
);

// Pruned runs as lines.

const reasonsToKeep = {
  running: t`a process is running it`,
  open: t`it has not ended`,
  inDoubt: t`it has not ended, and a command of it may have run or not`,
  changed: t`it was not shown, or it has changed since`,
  failed: t`it could not be removed`,
};

/** More are only counted. */
const maxListed = 20;

/** A reader of text in so many columns. */
interface PageReader extends Reader {
  readonly width: number;
}

/** `isDry`: nothing was removed. */
export function pruneLines(
  {removed, kept, others, files, error}: PruneReport,
  {isDry, width: columns, ...reader}: PageReader & {readonly isDry: boolean},
): string[] {
  const words = {
    removed: isDry ? say(t`would be removed`, reader) : say(t`removed`, reader),
    kept: say(t`kept`, reader),
  };
  const width = Math.max(...Object.values(words).map(widthOfText));
  const lineOf = (word: string, run: PrunedRun, why = ''): string =>
    `${padTo(word, width)}  ${runText(run, reader)}${why}`;
  const bytes = removed.reduce((sum, run) => sum + run.bytes, 0);
  const count = isDry
    ? t`${removed.length} {run|runs} would be removed`
    : t`${removed.length} {run|runs} removed`;
  return [
    ...removed.slice(0, maxListed).map((run) => lineOf(words.removed, run)),
    ...(removed.length > maxListed
      ? [say(t`… and ${removed.length - maxListed} {more run|more runs}`, reader)]
      : []),
    ...kept.map((run) => {
      const cause = run.error ? ` (${oneLine(run.error.message)})` : '';
      return lineOf(words.kept, run, `: ${say(reasonsToKeep[run.why], reader)}${cause}`);
    }),
    say(t`${count} (${bytesText(bytes)}); ${kept.length} kept, ${others} {other|others}`, reader),
    ...(files
      ? [say(t`journal: ${bytesText(files.before)} before, ${bytesText(files.after)} now`, reader)]
      : []),
    ...(error
      ? [say(t`the journal's files are as large as before: ${oneLine(error.message)}`, reader)]
      : []),
  ].flatMap((line) => wrapWords(line, columns));
}

function runText({id, form, request, status, updatedAt, bytes}: PrunedRun, reader: Reader): string {
  const state = status === undefined ? say(t`open`, reader) : wordIn(status, reader);
  const age = ageText(Date.now() - updatedAt, reader);
  return [id, form, state, age, bytesText(bytes), oneLine(request, 60)]
    .map((text) => oneLine(text))
    .join('  ');
}
