/** The tours of a machine, as text and as data. */

import type {Exploration} from '../../../machines/testing/explore.ts';
import {
  isIgnored,
  stateText,
  type Stop,
  type Tour,
} from '../../../machines/testing/machine-tours.ts';
import {moveData} from '../../../machines/testing/replay-file.ts';
import {transitionTexts} from '../../../machines/testing/transition-text.ts';
import {moveText} from '../../../machines/testing/world/moves.ts';
import type {Toured} from '../../charts/paths.ts';
import type {Reader} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine, truncate, widthOfText} from '../text.ts';
import {tableTexts} from './texts.ts';

interface PathsView {
  readonly style: Style;
  readonly width: number;
}

/** Columns of the longest move that is shown whole beside its state. */
const maxMove = 48;

export function pathsLines({exploration, tours}: Toured, view: PathsView): string[] {
  const failure = failureAtStart(exploration);
  if (failure !== undefined) {
    return [
      `${view.style.red('the machine fails at its start:')} ${oneLine(failure)}`,
      'If it needs an input, give a sample: see quorate help paths.',
    ];
  }
  return [
    ...summaryLines(exploration, tours.length, view.style),
    ...tours.flatMap((tour, index) => [
      '',
      view.style.bold(tableTexts(view.style).paths.tour(index + 1)),
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
  const texts = tableTexts(style).paths;
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
  return tableTexts(reader).paths.share(covered.length, covered.length + missing.length);
}

export function tourLines({start, steps}: Tour, {style, width}: PathsView): string[] {
  const texts = tableTexts(style).paths;
  const rows = steps.map((step) => {
    const stop = isIgnored(step) ? texts.ignored : `→ ${stopText(step)}`;
    return [oneLine(moveText(step.move)), stop] as const;
  });
  const shown = rows.map(([move]) => widthOfText(move)).filter((columns) => columns <= maxMove);
  const column = Math.max(0, ...shown);
  return [
    ...(start.state === undefined ? [] : [truncate(`  ${texts.start(stopText(start))}`, width)]),
    ...rows.map(([move, stop]) => {
      const space = ' '.repeat(Math.max(0, column - widthOfText(move)));
      return truncate(`  ${move}${space}  ${stop}`, width);
    }),
  ];
}

function stopText({state}: Stop): string {
  return state === undefined ? 'not started' : oneLine(stateText(state));
}

const limitTexts = {
  states: 'The limit of states was reached: --max-states N explores more.',
  depth: 'The limit of moves was reached: --max-depth N explores longer runs.',
} as const;

/** States and transitions that were not covered, failures, limits, and possible reasons. */
function missingLines(exploration: Exploration, {style, width}: PathsView): string[] {
  const {machine, transitions, states, limits, failures} = exploration;
  const texts = transitionTexts(machine);
  const missing = transitions.missing.map((name) => texts.get(name) ?? name);
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${oneLine(item, width - 2)}`)];
  const failed = failures.map(({message, moves}) => {
    const run = moves.length === 0 ? 'at its start' : `after ${moves.map(moveText).join(', ')}`;
    return `${message} (${run})`;
  });
  return [
    ...list(style.yellow('states that were not entered:'), states.missing),
    ...list(style.yellow('transitions that were not taken:'), missing),
    ...list(style.red('the machine fails:'), failed),
    ...limits.flatMap((limit) => ['', style.yellow(limitTexts[limit])]),
    ...(missing.length > 0 && limits.length === 0
      ? [
          '',
          'A guard may need other events, outputs or inputs: give samples, see quorate help paths.',
        ]
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
