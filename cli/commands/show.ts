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
import {oneOrNewest, type Command, type Flags, type Parsed} from '../line/command.ts';
import {pointOption} from '../line/option-values.ts';
import {checkChoice} from '../line/options.ts';
import {usageError} from '../line/usage-error.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import type {RecordedInteraction} from '../past/recorded-tree.ts';
import {printReport} from '../render/report.ts';
import {styleFor} from '../render/style.ts';
import type {ShowView} from '../render/tables/show.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {type Output, pageWidthOf, type Terminal, tryToWrite, write} from '../terminal.ts';

const ratings = ['up', 'down'] as const;

export const show: Command = {
  operands: oneOrNewest,
  summary: t`show a run: its plan, its votes with their reasons, its tasks`,
  detail: t`Shows a run: its request, the interactions below it with their results and costs, plan, votes with their reasons, tasks or
steps, its result, and its open questions. Of a damaged journal it shows the entries before the damage, reports the damage
and exits 2. Without an ID: the newest run of this folder.

With --rate, it keeps what you think of the result, for quorate stats; the last rating counts. The words of --note stay
in the journal: no model receives them, an export does not contain them, and they are erased with the run.

With --from, --to or both, it compares the run after two of its entries: the states of its actors, their contexts, the
decisions and messages between them, and the files that changed. Without --from: its opening; without --to: its last entry.`,
  options: [
    pointOption('at', t`show it as it was after this point`),
    pointOption('from', t`compare from this point`),
    pointOption('to', t`compare up to this point`),
    {
      name: 'rate',
      takes: 'RATING',
      text: t`rate its result: up or down`,
    },
    {
      name: 'note',
      takes: 'WORDS',
      text: t`words of your own, for --rate`,
    },
  ],
  examples: [
    'quorate show ID --at plan.1',
    'quorate show ID --at 12 --output json',
    'quorate show ID --from plan.1 --to plan.2',
    'quorate show ID --rate down --note "it left the old tests in place"',
  ],
  obeys: ['output'],
  run: async (parsed, terminal) => {
    const {
      operands: [wanted],
      output,
      cwd,
      flags,
    } = parsed;
    const {stdout, stderr, env, language} = terminal;
    const isComparing = requireOneView(flags);
    if ('rate' in flags) return await rateResult(parsed, terminal);
    const journal = await openToRead(terminal);
    try {
      const found = await findOrNewest(journal, wanted, cwd);
      if (isComparing) return await showChanges(found, journal, parsed, terminal);
      const shown = await readShown(flags['at']?.at(-1), found, journal);
      const {row, state, entries, damage, peeked, moment, privacy} = shown;
      const rating = await ratingOf(row, journal);
      if (output === 'jsonl') {
        const masked = privacy.data(entries);
        await write(stdout, masked.map((entry) => `${safeJson(entry)}\n`).join(''));
      } else if (output === 'json') {
        const own = {...row, state, ...(rating ? {rating: ratingData(rating)} : {})};
        const data = {...own, ...(await treeOf(row, entries, peeked))};
        const masked = privacy.data({...(moment ? {moment} : {}), journal: entries});
        await write(stdout, `${safeJson({...data, ...masked}, 2)}\n`);
      } else {
        const {nextLines, showLines} = await import('../render/tables/show.ts');
        const viewOn = (to: Output): ShowView => ({
          style: styleFor(to, {env, language}),
          width: pageWidthOf(to),
          now: Date.now(),
        });
        const lines = showLines({...shown, ...(rating ? {rating} : {})}, viewOn(stdout));
        await write(stdout, `${lines.join('\n')}\n`);
        const next = nextLines(shown, viewOn(stderr)).map((line) => `${line}\n`);
        await tryToWrite(stderr, next.join(''));
      }
      if (damage) throw damage;
      return 0;
    } finally {
      await journal.close();
    }
  },
};

/** True for a comparison of two points. Throws AppError `usage` for options that exclude each other. */
function requireOneView(flags: Flags): boolean {
  const isComparing = 'from' in flags || 'to' in flags;
  if ('rate' in flags ? isComparing || 'at' in flags : 'note' in flags) {
    throw usageError(
      t`--rate rates the result, with the words of --note: give it without --at, --from and --to`,
    );
  }
  if (!isComparing || !('at' in flags)) return isComparing;
  throw usageError(t`--at shows one point, and --from and --to compare two: give one or the other`);
}

/** Keeps the rating of its person. */
async function rateResult(
  {operands: [wanted], flags, output, ...globals}: Parsed,
  terminal: Terminal,
): Promise<number> {
  const rating = checkChoice('--rate', flags['rate']?.at(-1) ?? '', ratings);
  const {openRuntime} = await import('../open-runtime.ts');
  const {runtime, journal} = await openRuntime(globals, terminal);
  try {
    const {id} = await findOrNewest(journal, wanted, globals.cwd);
    await runtime.rate(id, {rating, words: flags['note']?.at(-1) ?? ''});
    const lines = () => [say(t`${oneLine(id)} is rated ${rating}`, terminal)];
    await printReport({data: {interaction: id, rating}, lines}, {output}, terminal);
    return 0;
  } finally {
    await runtime.close();
  }
}

/** Shows what changed between two points. */
async function showChanges(
  {id, entries}: InteractionRow,
  journal: Journal,
  parsed: Parsed,
  terminal: Terminal,
): Promise<number> {
  const {flags} = parsed;
  const from = flags['from']?.at(-1) ?? 0;
  const to = flags['to']?.at(-1) ?? entries - 1;
  const {privacyOf} = await import('../../actors/history/peek.ts');
  const {diffRun} = await import('../../actors/history/read-run.ts');
  const {diffLines} = await import('../render/tables/moments.ts');
  const whole = await diffRun(id, [from, to], journal);
  const {entries: all} = await journal.log.salvage(id);
  const diff = (await privacyOf(id, all, whole)).data(whole);
  await printReport({data: diff, lines: (view) => diffLines(diff, view)}, parsed, terminal);
  return 0;
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
  const {interactionsBelow, recordedTree} = await import('../past/recorded-tree.ts');
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
