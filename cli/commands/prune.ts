/** `quorate prune [ID…]`: removes the named runs, or old, large or unwanted ones, from the journal. */

import type {PruneOptions} from '../../actors/sessions/prune.ts';
import {interactionForms} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import type {Parsed} from '../line/command.ts';
import {choiceOption, switchOption, toAgeMs, toBytes, valueOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import type {Launched} from '../open-runtime.ts';
import {printReport, type Report} from '../render/report.ts';
import {pruneLines} from '../render/tables/retention.ts';
import {oneLine} from '../render/text.ts';
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
  const {confirm} = await import('../terminal/confirm.ts');
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
  const {confirm} = await import('../terminal/confirm.ts');
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
