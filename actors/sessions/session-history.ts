/** What a run is told of the earlier ones in its session: what was asked, and what came of it. */

import {lineOf} from '../../machines/domain/bytes.ts';
import {
  inputOf,
  isSpawnable,
  parseInteractionForm,
} from '../../machines/domain/interaction-form.ts';
import {toContextInjection, toInteractionResult} from '../../machines/domain/interaction-result.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {
  briefLine,
  inheritedFor,
  type Shared,
  type SharedPart,
} from '../../machines/prompts/inherited.ts';
import {bullets} from '../../machines/prompts/sections.ts';
import type {InteractionRow, Log} from '../journal/journal.ts';
import type {OpenedInput} from '../run/run-input.ts';
import {resultIn} from '../run/run-result.ts';

/** As many of the last are told of; how many there were before them is said. */
const maxTold = 50;

/** Bytes of what came of one task or step of an interaction that was cut short. */
const maxOutput = 2_000;

/** Bytes of a request in a summary. */
const maxAsked = 140;

/** One that was begun before. */
export interface Earlier {
  /** In its session, from 1. */
  readonly number: number;
  readonly row: Pick<InteractionRow, 'form' | 'request' | 'workspace'>;
  /** Undefined while it has none. */
  readonly result: RunResult | undefined;
}

/** Of a run that is about to be opened: with what its session has to tell it, unless it is told something else. */
export async function withHistory(input: OpenedInput, log: Log): Promise<OpenedInput> {
  const {session, contextMode, workspace, settings} = input;
  if (session === undefined || input.inherited !== undefined || contextMode === 'fresh')
    return input;
  const rows = (await log.list()).filter((row) => row.session === session).toReversed();
  const untold = Math.max(0, rows.length - maxTold);
  const earlier = await Promise.all(
    rows.slice(untold).map(async (row, index): Promise<Earlier> => {
      const {entries} = await log.salvage(row.id);
      return {number: untold + index + 1, row, result: resultIn(entries)};
    }),
  );
  const shared = historyShared(earlier, {workspace, untold});
  const inherited = inheritedFor(contextMode, shared, settings.context);
  return inherited === undefined ? input : {...input, inherited};
}

/** `untold`: how many there were before the first of `earlier`. `workspace`: that of the one that is told. */
export function historyShared(
  earlier: readonly Earlier[],
  {workspace, untold}: {readonly workspace: string; readonly untold: number},
): Shared {
  const older = `${untold} interactions that are older are not told of.`;
  return {
    from: 'earlier interactions of this session, the last one first',
    parts: [
      ...earlier.toReversed().map((each) => partOf(each, workspace)),
      ...(untold > 0 ? [{title: 'Before them', text: older, brief: older}] : []),
    ],
  };
}

function partOf({number, row, result}: Earlier, workspace: string): SharedPart {
  const {form, request, workspace: place} = row;
  const end = result ? endText(result) : 'It has not ended.';
  const text = [
    isCommand(form) ? `The person ran: ${request}` : `Request: ${request}`,
    ...(place === workspace ? [] : [`Worked in: ${place}`]),
    end,
    ...(result ? deedsOf(result) : []),
  ];
  return {
    title: `${number}. ${form}, ${result?.status ?? 'not ended'}`,
    text: text.join('\n'),
    brief: briefLine(`${lineOf(request, maxAsked)}: ${end}`),
  };
}

/** The row of a journal may hold any word. */
function isCommand(name: string): boolean {
  const form = parseInteractionForm(name);
  return form !== undefined && inputOf(form) === 'command';
}

function endText(result: RunResult): string {
  const {form, status, summary} = result;
  if (!isSpawnable(form) || status === 'waiting') return `(${status}) ${summary}`;
  return toContextInjection(toInteractionResult(form, {...result, status}));
}

/** What an end in words leaves out: of one that was cut short, also what it had done by then. */
function deedsOf(result: RunResult): string[] {
  const {status, denied = [], changes = [], inDoubt = [], interactions = []} = result;
  const below = interactions.map(
    ({id, form, status: end, summary}) => `${id}, ${form} (${end}): ${lineOf(summary, maxOutput)}`,
  );
  return [
    ...(status === 'completed' ? [] : unfinishedOf(result)),
    ...listed('Files changed:', changes.map(changeText)),
    ...listed(
      'Not allowed:',
      denied.map(({summary, reasons}) => lineOf(`${summary}: ${reasons.join('; ')}`, maxOutput)),
    ),
    ...listed('Begun, and nobody knows whether it happened:', inDoubt),
    ...listed('Interactions below it:', below),
  ];
}

function unfinishedOf({plan, tasks = [], steps = []}: RunResult): string[] {
  const done = tasks.map(
    ({id, status, description, output}) =>
      `${id} (${status}): ${description}: ${lineOf(output, maxOutput)}`,
  );
  const taken = steps.map(
    ({action, input, observation}) =>
      `${action} ${JSON.stringify(input)}: ${lineOf(observation, maxOutput)}`,
  );
  return [
    ...(plan ? [`Plan: ${plan.objective}`] : []),
    ...listed('Tasks:', done),
    ...listed('Steps:', taken),
  ];
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, bullets(lines)];
}

function changeText({
  path,
  added,
  removed,
}: {
  path: string;
  added: number;
  removed: number;
}): string {
  return `${path} (+${added} -${removed})`;
}
