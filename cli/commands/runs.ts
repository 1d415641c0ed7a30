/** `quorate runs`: the sessions of this folder with their runs, the newest first. */

import {resolve} from 'node:path';

import type {InteractionRow, Journal} from '../../actors/journal/journal.ts';
import {converses} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import type {Command, Parsed} from '../line/command.ts';
import {toCount} from '../line/option-values.ts';
import {withJournal} from '../past/open-journal.ts';
import {styleFor} from '../render/style.ts';
import {
  hiddenLine,
  noSessionsLine,
  sessionLines,
  type ListedRow,
} from '../render/tables/sessions.ts';
import {safeJson, wrapWords} from '../render/text.ts';
import {pageWidthOf, type Terminal, widthOf, write} from '../terminal.ts';

const defaultLimit = 20;

export const runs: Command = {
  operands: {
    usage: '[WORDS…]',
    what: t`words to look for`,
    least: 0,
    most: Infinity,
  },
  summary: t`list the newest runs of this folder (that contain WORDS); --all: every folder, --limit N: at most N`,
  detail: t`Lists the runs of this folder, the newest first, with their state, age, cost and request:

  running      a process is running it
  waiting      suspended; a person must decide: quorate resume ID
  suspended    quorate resume ID continues it
  crashed      its process died; quorate resume ID continues where it stopped
  imported     was recorded elsewhere: it can be read and verified, not continued
  outdated     another version of Quorate recorded it, and this one can't resume it
  damaged      its journal was changed or has lost its end; it can't be resumed
  ended        with its result

Runs of one conversation are listed together below the line of their session: quorate chat --resume ID continues all of
them, and also a single run. With WORDS, it lists the sessions that contain each of the words: in an ID, or in a request,
an answer or the folder of a run.

An ID can be shortened to a beginning that no other run has. quorate sessions is the same command.`,
  options: [
    {name: 'all', text: t`the runs of every folder`},
    {
      name: 'limit',
      takes: 'N',
      text: t`the maximum number of sessions, the newest first (${defaultLimit})`,
    },
  ],
  obeys: ['output'],
  examples: [
    'quorate runs --all --limit 100',
    'quorate runs retry limit',
    'quorate runs --output json',
  ],
  run: async (parsed, terminal) => {
    const limit = limitOf(parsed);
    const {realPath} = await import('../../actors/run/validation.ts');
    const {sessionsIn} = await import('../../actors/sessions/sessions.ts');
    return await withJournal(terminal, async (journal) => {
      const folder = parsed.flags['all'] ? undefined : realPath(resolve(parsed.cwd ?? '.'));
      const search = parsed.operands.join(' ');
      const found = sessionsIn(await journal.log.list(), {
        search,
        ...(folder === undefined ? {} : {workspace: folder}),
      });
      const rows = found.slice(0, limit).flatMap(({roots}) => roots.toReversed());
      const listed = await Array.fromAsync(rows, async (row) => await toListed(row, journal));
      const hidden = Math.max(0, found.length - limit);
      await writeListing({listed, hidden, folder, search, parsed}, terminal);
      return 0;
    });
  },
};

function limitOf({flags}: Parsed): number {
  return toCount('--limit', flags['limit']?.at(-1) ?? String(defaultLimit));
}

async function toListed(row: InteractionRow, journal: Journal): Promise<ListedRow> {
  const {runStateOf} = await import('../../actors/sessions/run-state.ts');
  const state = await runStateOf(row, journal);
  const {resultOfClosing} = await import('../../actors/run/run-result.ts');
  const {currentCost, formTitleIn} = await import('../past/history.ts');
  const closed = await journal.log.closing(row.id);
  const isTitled = converses(row.form);
  const result = closed && resultOfClosing(closed);
  const entries = result && !isTitled ? [] : (await journal.log.salvage(row.id)).entries;
  const costUsd = result ? result.usage.costUsd : currentCost(entries);
  const title = isTitled ? formTitleIn(entries) : undefined;
  return {
    state,
    ...row,
    ...(costUsd === undefined ? {} : {costUsd}),
    ...(title === undefined ? {} : {title}),
  };
}

interface Listing {
  /** The runs of a session are adjacent, the newest first. */
  readonly listed: readonly ListedRow[];
  /** The number of further sessions. */
  readonly hidden: number;
  /** Undefined: every folder. */
  readonly folder: string | undefined;
  /** Blank: no search. */
  readonly search: string;
  readonly parsed: Parsed;
}

async function writeListing(
  {listed, hidden, folder, search, parsed: {output}}: Listing,
  {stdout, stderr, env, language}: Terminal,
): Promise<void> {
  if (output === 'jsonl') {
    await write(stdout, listed.map((row) => `${safeJson(row)}\n`).join(''));
  } else if (output === 'json') {
    await write(stdout, `${safeJson(listed, 2)}\n`);
  } else {
    const width = stdout.isTTY ? {width: widthOf(stdout)} : {};
    const options = {now: Date.now(), withFolder: folder === undefined, ...width};
    const lines =
      listed.length === 0
        ? wrapWords(noSessionsLine(folder, search, {language}), pageWidthOf(stdout))
        : [...sessionLines(listed, styleFor(stdout, {env, language}), options)];
    await write(stdout, `${lines.join('\n')}\n`);
    if (hidden > 0) await write(stderr, `${hiddenLine(hidden, {language})}\n`);
  }
}
