/**
 * The context that a run receives as it opens: the history of its session, which is the requests and results of its earlier
 * runs, and the context files of its repository.
 */

import {
  formTraits,
  isSpawnable,
  parseInteractionForm,
} from '../../machines/domain/interaction-form.ts';
import {toContextInjection, toInteractionResult} from '../../machines/domain/interaction-result.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {lineOf} from '../../machines/domain/text-limits.ts';
import {withoutSecrets} from '../../machines/places/secrets.ts';
import {
  briefLine,
  inheritedFor,
  type Shared,
  type SharedPart,
} from '../../machines/prompts/inherited.ts';
import {bullets} from '../../machines/prompts/sections.ts';
import type {InteractionRow, Log} from '../journal/journal.ts';
import type {OpenedInput} from '../run/run-input.ts';
import {resultOfClosing} from '../run/run-result.ts';

/** Only the last runs are described; the number of earlier ones is given. */
const maxDescribed = 50;

/** Bytes of the output of one task or step of an interaction that did not complete. */
const maxOutput = 2_000;

/** Bytes of a request in a summary. */
const maxAsked = 140;

/** An earlier run of the session. */
export interface Earlier {
  /** In its session, from 1. */
  readonly number: number;
  readonly row: Pick<InteractionRow, 'form' | 'request' | 'workspace'>;
  /** Undefined while the run has no result. */
  readonly result: RunResult | undefined;
}

/**
 * Adds the history of the session to the input of a run, unless it already has inherited context or asks for none, and the
 * context files.
 */
export async function withContext(given: OpenedInput, log: Log): Promise<OpenedInput> {
  const input = await withContextFiles(given);
  const {session, contextMode, workspace, settings} = input;
  if (session === undefined || input.inherited !== undefined || contextMode === 'fresh')
    return input;
  const rows = (await log.list({session})).toReversed();
  const omitted = Math.max(0, rows.length - maxDescribed);
  const earlier = await Promise.all(
    rows.slice(omitted).map(async (row, index): Promise<Earlier> => {
      const closing = await log.closing(row.id);
      return {number: omitted + index + 1, row, result: closing && resultOfClosing(closing)};
    }),
  );
  const shared = historyShared(earlier, {workspace, omitted});
  const inherited = inheritedFor(contextMode, shared, settings.context);
  return inherited === undefined ? input : {...input, inherited};
}

/** Read once for the whole run: files that it writes itself do not instruct it. */
async function withContextFiles(input: OpenedInput): Promise<OpenedInput> {
  const {form, workspace, settings} = input;
  if (!formTraits[form].readsContextFiles || workspace === '') return input;
  const {readContextFiles} = await import('../../tools/read/survey.ts');
  const files = readContextFiles(workspace, settings.context.maxFilesBytes ?? 0);
  if (files.length === 0) return input;
  return {
    ...input,
    contextFiles: files.map(({path, text}) => ({path, text: withoutSecrets(text)})),
  };
}

/** `omitted`: the number of runs before the first of `earlier`. `workspace`: of the run that receives the history. */
export function historyShared(
  earlier: readonly Earlier[],
  {workspace, omitted}: {readonly workspace: string; readonly omitted: number},
): Shared {
  const older = `${omitted} older interactions are not listed.`;
  return {
    from: 'earlier interactions of this session, the last one first',
    parts: [
      ...earlier.toReversed().map((each) => partOf(each, workspace)),
      ...(omitted > 0 ? [{title: 'Older interactions', text: older, brief: older}] : []),
    ],
  };
}

function partOf({number, row, result}: Earlier, workspace: string): SharedPart {
  const {form, request, workspace: place} = row;
  const end = result ? endText(result) : 'It has not ended.';
  const text = [
    isCommand(form) ? `The person ran: ${request}` : `Request: ${request}`,
    ...(place === workspace || place === '' ? [] : [`Worked in: ${place}`]),
    end,
    ...(result ? deedsOf(result) : []),
  ];
  return {
    title: `${number}. ${form}, ${result?.status ?? 'not ended'}`,
    text: text.join('\n'),
    brief: briefLine(`${lineOf(request, maxAsked)}: ${end}`),
  };
}

/** `name`: of a row of the journal, which may hold any string. */
function isCommand(name: string): boolean {
  const form = parseInteractionForm(name);
  return form !== undefined && formTraits[form].input === 'command';
}

function endText(result: RunResult): string {
  const {form, status, summary} = result;
  if (!isSpawnable(form) || status === 'waiting') return `(${status}) ${summary}`;
  return toContextInjection(toInteractionResult(form, {...result, status}));
}

/** Facts that the text of the end leaves out; for an interaction that did not complete, also its tasks and steps. */
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
    ...listed('Begun, outcome unknown:', inDoubt),
    ...listed('Child interactions:', below),
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
