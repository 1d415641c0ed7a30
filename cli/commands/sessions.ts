/** `quorate sessions`: the runs of this folder, the newest first. */

import {resolve} from 'node:path';

import type {InteractionRow, Journal} from '../../actors/journal/journal.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Command, Parsed} from '../command.ts';
import {realPath} from '../find-run.ts';
import {hiddenLine, noSessionsLine, sessionLines, type ListedRow} from '../lines/sessions.ts';
import {styleFor} from '../lines/style.ts';
import {safeJson} from '../lines/text.ts';
import {openToRead} from '../open-journal.ts';
import {stateOf} from '../standing.ts';
import {type Terminal, widthOf, write} from '../terminal.ts';

const defaultLimit = 20;

export const sessions: Command = {
  summary: 'list the newest runs of this folder; --all: of every folder, --limit N: so many',
  detail: `Lists the runs of this folder, the newest first, with their state, age, cost and request:

  running      a process is at it
  waiting      suspended; a person must decide: quorate resume ID
  suspended    quorate resume ID goes on
  crashed      its process died; quorate resume ID goes on where it stood
  ended        with its result

Wherever an ID is wanted, its beginning will do as long as no other run begins so.`,
  options: [
    {name: 'all', text: 'the runs of every folder'},
    {name: 'limit', takes: 'N', text: `at most so many, the newest (${defaultLimit})`},
  ],
  obeys: ['output'],
  examples: ['quorate sessions --all --limit 100', 'quorate sessions --output json'],
  run: async (parsed, terminal) => {
    const limit = limitOf(parsed);
    const journal = await openToRead(terminal);
    try {
      const rows = await journal.log.list();
      const folder = parsed.flags['all'] ? undefined : realPath(resolve(parsed.cwd ?? '.'));
      const here = rows.filter(({workspace}) => folder === undefined || workspace === folder);
      const listed = await Promise.all(
        here.slice(0, limit).map(async (row) => await toListed(row, journal)),
      );
      await tell({listed, hidden: here.length - listed.length, folder, parsed}, terminal);
      return 0;
    } finally {
      await journal.close();
    }
  },
};

function limitOf({flags}: Parsed): number {
  const text = flags['limit']?.at(-1) ?? String(defaultLimit);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AppError('usage', `--limit takes a number from 1, not "${text}"`);
}

async function toListed(row: InteractionRow, journal: Journal): Promise<ListedRow> {
  const state = await stateOf(row, journal);
  const {costSoFar, resultOf} = await import('../history.ts');
  const {entries} = await journal.log.salvage(row.id);
  const result = resultOf(entries);
  const costUsd = result ? result.usage.costUsd : costSoFar(entries);
  return {state, ...row, ...(costUsd === undefined ? {} : {costUsd})};
}

interface Listing {
  readonly listed: readonly ListedRow[];
  /** How many more there are. */
  readonly hidden: number;
  /** Undefined: every folder. */
  readonly folder: string | undefined;
  readonly parsed: Parsed;
}

async function tell(
  {listed, hidden, folder, parsed: {output}}: Listing,
  {stdout, env}: Terminal,
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
        ? [noSessionsLine(folder)]
        : [
            ...sessionLines(listed, styleFor(stdout, env), options),
            ...(hidden > 0 ? [hiddenLine(hidden)] : []),
          ];
    await write(stdout, `${lines.join('\n')}\n`);
  }
}
