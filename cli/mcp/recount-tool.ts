/** The tool that counts the votes of a recorded run again. */

import {z} from 'zod';

import type {Journal} from '../../actors/journal/journal.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {ruleSpellings, tryParseRule} from '../../machines/panel/rule.ts';
import {recountOf} from '../past/recount-run.ts';
import {plainStyle} from '../render/style.ts';
import {recountData, recountLines} from '../render/tables/recount.ts';
import {oneLine} from '../render/text.ts';
import type {ToolResult} from './outputs.ts';

export const recountArguments = z.strictObject({
  run: z
    .string()
    .min(1)
    .max(200)
    .describe('The ID of a run. Absent: the newest run of the working folder.')
    .optional(),
  rule: z
    .string()
    .refine((text) => tryParseRule(text) !== undefined, `use ${ruleSpellings}`)
    .describe(`${ruleSpellings}. Absent: the rule of each vote.`)
    .optional(),
  without: z.array(z.string().max(200)).max(50).describe('Seats to take off the panel.').optional(),
});

export const recountOutput = z.record(z.string(), z.unknown());

export const recountTool = {
  name: 'recount',
  title: 'Count votes again',
  description:
    'Count the votes of a recorded run again, by another rule or without some seats, and name the first round with another ' +
    'outcome. Reads only the journal: no model is called.',
} as const;

/** Rejects with AppError `not_found`, `usage`, or `journal_corrupt`. */
export async function recount(
  {run, rule, without = []}: z.infer<typeof recountArguments>,
  journal: Journal,
  folder: string,
): Promise<ToolResult> {
  const isKnown = (await journal.log.list()).some(({id}) => id === run);
  if (run !== undefined && !isKnown)
    throw new AppError('not_found', `there is no run ${oneLine(run, 80)}; give its whole ID`);
  const overrides = rule === undefined ? [] : [{key: 'quorum.rule', value: rule, source: 'rule'}];
  const terms = {flags: {without}, overrides};
  const {counted, damage} = await recountOf(journal, {wanted: run, folder, terms}).catch(
    (error: unknown) => {
      throw withoutDashes(error);
    },
  );
  if (damage) throw damage;
  const view = {style: plainStyle, width: Number.POSITIVE_INFINITY};
  return {
    content: [{type: 'text', text: recountLines(counted, view).join('\n')}],
    structuredContent: {...recountData(counted)},
  };
}

/** The command line names the same arguments `--rule` and `--without`. */
function withoutDashes(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const message = error.message.replaceAll(/--(?=rule|without)/g, '');
  return new AppError(error.code, message, {cause: error});
}
