/** The tours of a machine, as text and as data. */

import type {Exploration} from '../../../machines/testing/explore.ts';
import {
  isIgnored,
  stateText,
  type Stop,
  type Tour,
} from '../../../machines/testing/machine-tours.ts';
import {transitionTexts} from '../../../machines/testing/transition-text.ts';
import {moveData, moveText} from '../../../machines/testing/world/moves.ts';
import type {Toured} from '../../charts/paths.ts';
import type {Reader} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine, truncate, widthOfText} from '../text.ts';
import {type MachineTexts, machineTexts} from './machine-texts.ts';

interface PathsView {
  readonly style: Style;
  readonly width: number;
}

/** Columns of the longest move that is shown whole beside its state. */
const maxMove = 48;

export function pathsLines({exploration, tours}: Toured, view: PathsView): string[] {
  const texts = machineTexts(view.style).paths;
  const failure = failureAtStart(exploration);
  if (failure !== undefined) {
    return [`${view.style.red(texts.failsAtStart)} ${oneLine(failure)}`, texts.needsInput];
  }
  return [
    ...summaryLines(exploration, tours.length, view.style),
    ...tours.flatMap((tour, index) => [
      '',
      view.style.bold(texts.tour(index + 1)),
      ...tourLines(tour, view),
    ]),
    ...missingLines(exploration, view),
  ];
}

function failureAtStart({failures}: Exploration): string | undefined {
  return failures.find(({moves}) => moves.length === 0)?.message;
}

/** `checkout: 14 of 14 states, 17 of 17 transitions, 2 tours`. */
function summaryLines(
  {machine, states, transitions, graph}: Exploration,
  tours: number,
  style: Style,
): string[] {
  const texts = machineTexts(style).paths;
  const shares = [
    texts.states(shareText(states, style)),
    texts.transitions(shareText(transitions, style)),
    texts.tours(tours),
  ];
  return [
    `${style.bold(oneLine(machine.id))}: ${shares.join(', ')}`,
    style.dim(texts.explored(graph.steps.size)),
  ];
}

function shareText({covered, missing}: Exploration['states'], reader: Reader): string {
  return machineTexts(reader).paths.share(covered.length, covered.length + missing.length);
}

export function tourLines({start, steps}: Tour, {style, width}: PathsView): string[] {
  const texts = machineTexts(style).paths;
  const rows = steps.map((step) => {
    const stop = isIgnored(step) ? texts.ignored : `→ ${stopText(step, texts)}`;
    return [oneLine(moveText(step.move)), stop] as const;
  });
  const shown = rows.map(([move]) => widthOfText(move)).filter((columns) => columns <= maxMove);
  const column = Math.max(0, ...shown);
  return [
    ...(start.state === undefined
      ? []
      : [truncate(`  ${texts.start(stopText(start, texts))}`, width)]),
    ...rows.map(([move, stop]) => {
      const space = ' '.repeat(Math.max(0, column - widthOfText(move)));
      return truncate(`  ${move}${space}  ${stop}`, width);
    }),
  ];
}

function stopText({state}: Stop, texts: MachineTexts['paths']): string {
  return state === undefined ? texts.notStarted : oneLine(stateText(state));
}

/** States and transitions that were not covered, failures, limits, and possible reasons. */
function missingLines(exploration: Exploration, {style, width}: PathsView): string[] {
  const {machine, transitions, states, limits, failures} = exploration;
  const texts = machineTexts(style).paths;
  const names = transitionTexts(machine);
  const missing = transitions.missing.map((name) => names.get(name) ?? name);
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${oneLine(item, width - 2)}`)];
  const failed = failures.map(({message, moves}) =>
    moves.length === 0
      ? texts.failedAtStart(message)
      : texts.failedAfter(message, moves.map(moveText).join(', ')),
  );
  return [
    ...list(style.yellow(texts.missingStates), states.missing),
    ...list(style.yellow(texts.missingTransitions), missing),
    ...list(style.red(texts.fails), failed),
    ...limits.flatMap((limit) => ['', style.yellow(texts.limits[limit])]),
    ...(failures.length > 0 || (missing.length > 0 && limits.length === 0)
      ? ['', texts.needsSamples]
      : []),
  ];
}

/** For programs. */
export function pathsData({exploration, tours, seconds}: Toured): unknown {
  const {machine, graph, states, transitions, limits, failures} = exploration;
  return {
    machine: machine.id,
    states,
    transitions,
    explored: graph.steps.size,
    limits,
    failures: failures.map(({message, moves}) => ({message, moves: moves.map(moveData)})),
    tours: tours.map(({start, steps}) => ({
      start,
      steps: steps.map((step) => Object.assign({}, step, {move: moveData(step.move)})),
    })),
    seconds: Math.round(seconds * 1000) / 1000,
  };
}
