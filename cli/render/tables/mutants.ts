/** The result of mutation testing, for people. */

import type {Tried} from '../../charts/mutants/mutation-run.ts';
import {countOf, type MutationResult, percentFound} from '../../charts/mutants/result.ts';
import {durationText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {oneLine, padTo, widthOfText} from '../text.ts';
import {machineTexts} from './machine-texts.ts';
import {tableLines} from './table.ts';

interface MutantsView {
  readonly style: Style;
  readonly width: number;
}

/** One line for each tested mutant, as it happens. */
export function triedLine({mutant, outcome, ms}: Tried, place: string, style: Style): string {
  const paint = outcome === 'found' || outcome === 'timed_out' ? style.green : style.red;
  const {outcomes} = machineTexts(style).mutants;
  const word = padTo(outcomes[outcome], Math.max(...Object.values(outcomes).map(widthOfText)));
  return `${place}  ${paint(word)}  ${durationText(ms).padStart(8)}  ${oneLine(mutant.name)}`;
}

/** The counts, then each mutant that was not found, with a hint for a test. */
export function mutantsLines(result: MutationResult, view: MutantsView): string[] {
  const {style} = view;
  const left = result.mutants.length - result.tried.length;
  return [
    ...survivorLines(result, view),
    ...tableLines(
      machineTexts(style).mutants.titles,
      [
        [
          String(countOf(result, 'found')),
          String(countOf(result, 'timed_out')),
          String(countOf(result, 'survived')),
          String(countOf(result, 'not_created')),
          String(result.mutants.length),
          `${percentFound(result).toFixed(1)} %`,
          durationText(result.ms),
        ],
      ],
      style,
    ),
    ...(left === 0 ? [] : [style.yellow(machineTexts(style).mutants.notTried(left))]),
  ];
}

function survivorLines({tried}: MutationResult, {style, width}: MutantsView): string[] {
  const {survived, not_created: notCreated} = machineTexts(style).mutants.outcomes;
  const indent = ' '.repeat(widthOfText(survived) + 2);
  const survivors = tried.filter(({outcome}) => outcome === 'survived');
  const missing = tried.filter(({outcome}) => outcome === 'not_created');
  return [
    ...survivors.flatMap(({mutant: {name, hint}}) => [
      `${style.red(survived)}  ${oneLine(name, width - indent.length)}`,
      style.dim(indent + oneLine(hint, width - indent.length)),
    ]),
    ...missing.map(
      ({mutant: {name}}) =>
        `${style.red(notCreated)}  ${oneLine(name, width - widthOfText(notCreated) - 2)}`,
    ),
    ...(survivors.length + missing.length > 0 ? [''] : []),
  ];
}

/** All mutants by kind, then the excluded changes. */
export function mutantListLines(
  {mutants, excluded}: Pick<MutationResult, 'mutants' | 'excluded'>,
  {style, width}: MutantsView,
): string[] {
  const texts = machineTexts(style).mutants;
  return [
    ...tableLines(
      [texts.kind, texts.mutant],
      mutants.map(({kind, name}) => [kind, name]),
      style,
      width,
    ),
    ...(excluded.length === 0 ? [] : ['', style.bold(texts.leftOut)]),
    ...excluded.flatMap(({name, reason}) => [
      oneLine(name, width),
      style.dim(`  ${oneLine(reason, width - 2)}`),
    ]),
  ];
}
