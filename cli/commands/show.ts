/** `quorate show [ID]`: one run from its journal, open or ended. */

import type {Peeked} from '../../actors/history/peek.ts';
import type {Moment} from '../../actors/history/record.ts';
import type {
  Entry,
  InteractionRow,
  Journal,
  Reaction,
  Salvaged,
} from '../../actors/journal/journal.ts';
import type {RunState} from '../../actors/runtime-api.ts';
import type {Waiting} from '../../machines/domain/result.ts';
import {t} from '../../machines/message.ts';
import type {Answers, OpenAsk} from '../../machines/questionnaire/answers.ts';
import {
  createPrivacy,
  maskedAnswers,
  type Privacy,
} from '../../machines/questionnaire/private-answers.ts';
import {say} from '../language.ts';
import {oneOrNewest, type OutputFormat} from '../line/command.ts';
import {choiceOption, pointOption, wordOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {findOrNewest} from '../past/find-run.ts';
import type {RecordedInteraction} from '../past/history.ts';
import {withJournal} from '../past/open-journal.ts';
import {oneLine} from '../render/text.ts';
import type {Terminal} from '../terminal.ts';
import {type CommandReport, type Given, reportCommand, type ValuesOf} from './define.ts';

const ratings = ['up', 'down'] as const;

const options = {
  at: pointOption(t`show it as it was after this point`),
  from: pointOption(t`compare from this point`),
  to: pointOption(t`compare up to this point`),
  rate: choiceOption('RATING', t`rate its result: up or down`, ratings),
  note: wordOption('WORDS', t`words of your own, for --rate`),
};

export const show = reportCommand({
  operands: oneOrNewest,
  summary: t`show a run: its plan, its votes with their reasons, its tasks`,
  detail: t`Shows a run: its request, the interactions below it with their results and costs, plan, votes with their reasons, tasks or
steps, its result, and its open questions. Of a damaged journal it shows the entries before the damage, reports the damage
and exits 2. Without an ID: the newest run of this folder.

With --rate, it keeps what you think of the result, for quorate stats; the last rating counts. The words of --note stay
in the journal: no model receives them, an export does not contain them, and they are erased with the run.

With --from, --to or both, it compares the run after two of its entries: the states of its actors, their contexts, the
decisions and messages between them, and the files that changed. Without --from: its opening; without --to: its last entry.`,
  options,
  examples: [
    'quorate show ID --at plan.1',
    'quorate show ID --at 12 --output json',
    'quorate show ID --from plan.1 --to plan.2',
    'quorate show ID --rate down --note "it left the old tests in place"',
  ],
  obeys: ['output'],
  report: async (given, terminal) => {
    const {options: values, operands, cwd, output} = given;
    requireOneView(values);
    if (values.rate !== undefined) return await rated(given, values.rate, terminal);
    return await withJournal(terminal, async (journal) => {
      const row = await findOrNewest(journal, operands[0], cwd);
      return values.from === undefined && values.to === undefined
        ? await shownRun(row, values.at, {journal, output})
        : await changesOf(row, values, journal);
    });
  },
});

/** Throws AppError `usage` for options that exclude each other. */
function requireOneView({at, from, to, rate, note}: ValuesOf<typeof options>): void {
  const isComparing = from !== undefined || to !== undefined;
  if (rate === undefined ? note !== undefined : isComparing || at !== undefined) {
    throw usageError(
      t`--rate rates the result, with the words of --note: give it without --at, --from and --to`,
    );
  }
  if (!isComparing || at === undefined) return;
  throw usageError(t`--at shows one point, and --from and --to compare two: give one or the other`);
}

/** Keeps the rating of its person. */
async function rated(
  {operands: [wanted], options: {note = ''}, ...globals}: Given<typeof options>,
  rating: (typeof ratings)[number],
  terminal: Terminal,
): Promise<CommandReport> {
  const {withRuntime} = await import('../open-runtime.ts');
  return await withRuntime(globals, terminal, async ({runtime, journal}) => {
    const {id} = await findOrNewest(journal, wanted, globals.cwd);
    await runtime.rate(id, {rating, words: note});
    return {
      data: {interaction: id, rating},
      lines: ({style}) => [say(t`${oneLine(id)} is rated ${rating}`, style)],
    };
  });
}

/** The changes between two points. */
async function changesOf(
  {id, entries}: InteractionRow,
  {from = 0, to = entries - 1}: Partial<Record<'from' | 'to', string | number | undefined>>,
  journal: Journal,
): Promise<CommandReport> {
  const {privacyOf} = await import('../../actors/history/peek.ts');
  const {diffRun} = await import('../../actors/history/read-run.ts');
  const {diffLines} = await import('../render/tables/show.ts');
  const whole = await diffRun(id, [from, to], journal);
  const {entries: all} = await journal.log.salvage(id);
  const diff = (await privacyOf(id, all, whole)).data(whole);
  return {data: diff, lines: (view) => diffLines(diff, view)};
}

/** The run, or the run as it was after a point. */
async function shownRun(
  found: InteractionRow,
  point: string | undefined,
  {journal, output}: {readonly journal: Journal; readonly output: OutputFormat},
): Promise<CommandReport> {
  const {nextLines, showLines} = await import('../render/tables/show.ts');
  const shown = await readShown(point, found, journal);
  const {row, state, entries, damage, peeked, moment, privacy} = shown;
  const rating = await ratingOf(row, journal);
  const own = {...row, state, ...(rating ? {rating: ratingData(rating)} : {})};
  const data = {...own, ...(await treeOf(row, entries, peeked))};
  const masked = privacy.data({...(moment ? {moment} : {}), journal: entries});
  const now = Date.now();
  return {
    data: {...data, ...masked},
    rows: masked.journal,
    lines: (view) => showLines({...shown, ...(rating ? {rating} : {})}, {...view, now}),
    notes: (view) => (output === 'text' ? nextLines(shown, {...view, now}) : []),
    damage,
  };
}

/** The rating of its person. */
async function ratingOf({id}: InteractionRow, {reactions}: Journal): Promise<Reaction | undefined> {
  const all = (await reactions?.list(id)) ?? [];
  return all.find(({kind}) => kind !== 'undone');
}

function ratingData({kind, at, words}: Reaction): object {
  return {rating: kind, at, ...(words === undefined ? {} : {words})};
}

interface PastRun extends Pick<Salvaged, 'entries' | 'damage'> {
  readonly row: InteractionRow;
  /** The states of its actors, of a run that is shown at a point. */
  readonly moment?: Moment;
}

interface ShownRun extends PastRun {
  readonly state: RunState;
  readonly peeked: Peeked | undefined;
  readonly privacy: Pick<Privacy, 'data'>;
}

async function readShown(
  point: string | undefined,
  found: InteractionRow,
  journal: Journal,
): Promise<ShownRun> {
  const {runStateOf, tryPeekRun} = await import('../../actors/sessions/run-state.ts');
  const {id} = found;
  const salvaged = await journal.log.salvage(id);
  const past = await shownAt(point, found, salvaged);
  const {row, entries, moment} = past;
  const peeked = row.status === undefined ? await tryPeekRun(id, entries) : undefined;
  if (moment) {
    const privacy = await privacyAt(id, salvaged.entries, moment);
    return {...past, state: stateAt(peeked), peeked, privacy};
  }
  const privacy = createPrivacy(entries, peeked?.interview ?? {});
  return {...past, state: await runStateOf(row, journal), peeked, privacy};
}

/** Without a point: the run as it is. */
async function shownAt(
  point: string | undefined,
  row: InteractionRow,
  {entries, damage}: Salvaged,
): Promise<PastRun> {
  if (point === undefined) return {row, entries, damage};
  const {entryOf, upTo} = await import('../../actors/history/read-run.ts');
  const {momentAfter} = await import('../../actors/history/record.ts');
  const past = upTo(entries, await entryOf(point, 'after', row.id, entries));
  const isWhole = past.length === entries.length;
  const {status, answer} = row;
  return {
    row: {
      ...row,
      entries: past.length,
      updatedAt: past.at(-1)?.at ?? row.updatedAt,
      status: isWhole ? status : undefined,
      answer: isWhole ? answer : undefined,
    },
    entries: past,
    damage: isWhole ? damage : undefined,
    moment: await momentAfter(past),
  };
}

function stateAt(peeked: Peeked | undefined): RunState {
  if (!peeked) return 'ended';
  return peeked.gates.length + peeked.asks.length > 0 ? 'waiting' : 'running';
}

interface ShownTree {
  /** The questions that a person must answer, as in a waiting result. */
  readonly waiting?: Waiting;
  /** The open messages of interviews. */
  readonly asked?: readonly OpenAsk[];
  /** Of an open interview: the answers up to now. */
  readonly answers?: Answers;
  /** The interactions below the root. */
  readonly interactions?: readonly RecordedInteraction[];
}

/** `entries`: of the whole run. */
async function privacyAt(
  id: string,
  entries: readonly Entry[],
  moment: Moment,
): Promise<Pick<Privacy, 'data'>> {
  const {privacyOf} = await import('../../actors/history/peek.ts');
  return await privacyOf(id, entries, moment);
}

async function treeOf(
  row: InteractionRow,
  entries: readonly Entry[],
  peeked: Peeked | undefined,
): Promise<ShownTree> {
  const {interactionsBelow, recordedTree} = await import('../past/history.ts');
  const {waitingFor} = await import('../../actors/run/run-result.ts');
  const [first, ...others] = peeked?.gates ?? [];
  const interactions = interactionsBelow(recordedTree(row, entries, peeked));
  return {
    ...(first ? {waiting: waitingFor([first, ...others], row)} : {}),
    ...(peeked && peeked.asks.length > 0 ? {asked: peeked.asks} : {}),
    ...(peeked?.interview ? {answers: maskedAnswers(peeked.interview.answers)} : {}),
    ...(interactions.length > 0 ? {interactions} : {}),
  };
}
