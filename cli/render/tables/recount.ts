/** The recounted rounds of a run beside the recorded ones. */

import type {InteractionRow} from '../../../actors/journal/journal.ts';
import type {RunState} from '../../../actors/runtime-api.ts';
import type {Recounting, RecountedRound, Terms} from '../../../machines/panel/recount.ts';
import {ruleText} from '../../../machines/panel/rule.ts';
import {type Reader, say, type Texts} from '../../language.ts';
import {wordIn} from '../live/texts.ts';
import type {Style} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';
import {tableLines} from './table.ts';
import {tableTexts} from './texts.ts';

export interface RecountedRun extends Recounting {
  readonly row: Pick<InteractionRow, 'id' | 'form' | 'status'>;
  readonly state: RunState;
  readonly terms: Terms;
}

const marks = {no: '=', yes: '≠', unknown: '?'} as const;
/** `width`: of the terminal. */
export function recountLines(
  run: RecountedRun,
  {style, width}: {readonly style: Style; readonly width: number},
): string[] {
  const {row, state, terms, rounds} = run;
  const texts = tableTexts(style).recount;
  const status = row.status === undefined ? state : `${state}: ${row.status}`;
  const head = `${style.bold(oneLine(row.id))} ${oneLine(row.form)} · ${oneLine(status)} · ${texts.votes(rounds.length)}`;
  if (rounds.length === 0) return [head, texts.nothing];
  const table = tableLines(
    texts.titles,
    rounds.map((round) => cellsOf(round, style)),
    style,
    width,
  );
  const conclusions = conclusionsOn(run, style).flatMap((text) => proseRows(text, width));
  return [head, ...proseRows(termsText(terms, style), width), '', ...table, '', ...conclusions];
}

function cellsOf({number, recorded, recounted}: RecountedRound, reader: Reader): string[] {
  const {verdicts} = tableTexts(reader).recount;
  return [
    marks[recounted.differs],
    String(number),
    `${verdicts[recorded.verdict]} ${recorded.summary} ${recorded.rule}`,
    `${verdicts[recounted.verdict]} ${recounted.summary} ${recounted.rule}`,
    voteText(recorded, reader),
  ];
}

function voteText({kind, title, round}: RecountedRound['recorded'], reader: Reader): string {
  return say(
    {
      en: `${kind} "${title}", round ${round}`,
      ja: `${wordIn(kind, reader)}「${title}」第 ${round} 回`,
    },
    reader,
  );
}

function termsText({rule, without}: Terms, reader: Reader): string {
  const seats = [...without].join(', ');
  const by = rule ? ruleText(rule) : undefined;
  const [en, ja] = [
    by === undefined ? 'by the rule of each' : `by ${by}`,
    by === undefined ? 'それぞれの規則' : `規則 ${by}`,
  ];
  return say(
    without.size === 0
      ? {en: `counted again ${en}`, ja: `${ja}で数え直し`}
      : {en: `counted again ${en}, without ${seats}`, ja: `${ja}で、${seats} を除いて数え直し`},
    reader,
  );
}

function conclusionsOn(
  {rounds, differsFrom, mayDifferFrom, row, state}: RecountedRun,
  reader: Reader,
): string[] {
  const explained = Map.groupBy(rounds, ({recounted}) => whyOf(recounted, reader));
  return [
    ...[...explained].flatMap(([why, of]) =>
      why === undefined ? [] : [`${of.map(({number}) => number).join(', ')}: ${why}.`],
    ),
    outcomeText(differsFrom, mayDifferFrom, reader),
    ...(row.status === undefined
      ? [
          say(
            {
              en: `The run is ${state}: more votes may follow.`,
              ja: `実行は ${state} です。投票がさらに続くことがあります。`,
            },
            reader,
          ),
        ]
      : []),
  ];
}

/** Details beyond the verdict. */
function whyOf(
  {verdict, refusedBy, unheard: missing}: RecountedRound['recounted'],
  reader: Reader,
): string | undefined {
  const [refusing, silent] = [refusedBy.join(', '), missing.join(', ')];
  if (refusedBy.length > 0) {
    return say(
      {
        en: `rejected under every rule, as ${refusing} refused it`,
        ja: `${refusing} が拒否したため、規則によらず却下`,
      },
      reader,
    );
  }
  if (verdict !== 'unknown') return undefined;
  return say(
    missing.length > 0
      ? {
          en: `unknown, as ${silent} did not vote and could have decided it`,
          ja: `${silent} が投票せず、その票で決まりえたため不明`,
        }
      : {
          en: 'unknown: the record lacks data for the count',
          ja: '記録に必要なデータがないため不明',
        },
    reader,
  );
}

function outcomeText(
  certain: number | undefined,
  possible: number | undefined,
  reader: Reader,
): string {
  if (certain === undefined && possible === undefined) return tableTexts(reader).recount.same;
  const after: Texts = {
    en: 'later rounds depend on that decision',
    ja: 'その後はそこでの決定によるものです',
  };
  if (certain === undefined) {
    return say(
      {
        en: `The outcome may differ from ${possible} on: ${after.en}.`,
        ja: `${possible} から結果が変わる可能性があります。${after.ja}。`,
      },
      reader,
    );
  }
  const also: Texts =
    possible === undefined
      ? {en: '', ja: ''}
      : {en: `, and may do so from ${possible}`, ja: `（${possible} から変わる可能性もあります）`};
  return say(
    {
      en: `The outcome differs from ${certain} on${also.en}: ${after.en}.`,
      ja: `${certain} から結果が変わります${also.ja}。${after.ja}。`,
    },
    reader,
  );
}

/** As data, in the shape of `recount --output json`. */
export function recountData({row, state, terms, rounds, differsFrom, mayDifferFrom}: RecountedRun) {
  return {
    interaction: row.id,
    state,
    ...(row.status === undefined ? {} : {status: row.status}),
    ...(terms.rule ? {rule: ruleText(terms.rule)} : {}),
    without: [...terms.without],
    rounds: rounds.map(({number, recorded, recounted}) => ({
      number,
      round: recorded.round,
      kind: recorded.kind,
      title: recorded.title,
      recorded: {rule: recorded.rule, verdict: recorded.verdict, summary: recorded.summary},
      recounted,
    })),
    ...(differsFrom === undefined ? {} : {differsFrom}),
    ...(mayDifferFrom === undefined ? {} : {mayDifferFrom}),
  };
}
