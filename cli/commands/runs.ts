/** `quorate runs`: the sessions of this folder with their runs, the newest first. */

import {resolve} from 'node:path';

import type {InteractionRow, Journal} from '../../actors/journal/journal.ts';
import {converses} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {switchOption, toCount, usually, valueOption} from '../line/option-values.ts';
import {
  hiddenLine,
  noSessionsLine,
  sessionLines,
  type ListedRow,
} from '../render/tables/sessions.ts';
import {wrapWords} from '../render/text.ts';
import {pastCommand} from './define.ts';

const defaultLimit = 20;

export const runs = pastCommand({
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
  options: {
    all: switchOption(t`the runs of every folder`),
    limit: usually(
      valueOption(
        'N',
        t`the maximum number of sessions, the newest first (${defaultLimit})`,
        toCount,
      ),
      defaultLimit,
    ),
  },
  obeys: ['output'],
  examples: [
    'quorate runs --all --limit 100',
    'quorate runs retry limit',
    'quorate runs --output json',
  ],
  report: async (journal, {options: {all, limit}, operands, cwd = '.', output}) => {
    const {realPath} = await import('../../actors/run/validation.ts');
    const {sessionsIn} = await import('../../actors/sessions/sessions.ts');
    const folder = all ? undefined : realPath(resolve(cwd));
    const search = operands.join(' ');
    const found = sessionsIn(await journal.log.list(), {
      search,
      ...(folder === undefined ? {} : {workspace: folder}),
    });
    const rows = found.slice(0, limit).flatMap(({roots}) => roots.toReversed());
    const listed = await Array.fromAsync(rows, async (row) => await toListed(row, journal));
    const hidden = found.length - limit;
    const options = {now: Date.now(), withFolder: all};
    return {
      data: listed,
      rows: listed,
      lines: ({style, width}) =>
        listed.length === 0
          ? wrapWords(noSessionsLine(folder, search, style), width)
          : sessionLines(listed, style, {...options, width}),
      notes: ({style}) => (output === 'text' && hidden > 0 ? [hiddenLine(hidden, style)] : []),
    };
  },
});

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
