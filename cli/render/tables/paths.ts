/** The tours of a machine, as text and as data. */

import {type Message, t} from '../../../machines/message.ts';
import {placeText, transitionTexts} from '../../../machines/testing/chart.ts';
import type {Exploration, Reason} from '../../../machines/testing/explore.ts';
import {type Stop, type Tour} from '../../../machines/testing/machine-tours.ts';
import {moveData, moveText} from '../../../machines/testing/world/moves.ts';
import type {Toured} from '../../charts/paths.ts';
import {say, type Reader} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine, truncate, widthOfText} from '../text.ts';

const limitTexts = {
  states: t`The limit of states was reached: --max-states N explores more.`,
  depth: t`The limit of moves was reached: --max-depth N explores longer runs.`,
};

const reasonTexts: Readonly<Record<Reason, Message>> = {
  notEntered: t`its state was not entered`,
  noSamples: t`its list of samples is empty`,
  neverHappens: t`its actor never does this`,
  refused: t`its guard let nothing pass`,
  preceded: t`another transition takes the event first`,
};

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
      `${view.style.red(say(t`the machine fails at its start:`, view.style))} ${oneLine(failure)}`,
      say(t`If it needs an input, give a sample: see quorate help paths.`, view.style),
    ];
  }
  return [
    ...summaryLines(exploration, tours.length, view.style),
    ...tours.flatMap((tour, index) => [
      '',
      view.style.bold(say(t`tour ${index + 1}`, view.style)),
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
  const shares = [
    say(t`${shareText(states, style)} states`, style),
    say(t`${shareText(transitions, style)} transitions`, style),
    say(t`${tours} {tour|tours}`, style),
  ];
  return [
    `${style.bold(oneLine(machine.id))}: ${shares.join(', ')}`,
    style.dim(
      say(t`explored ${graph.steps.size} combinations of states, contexts and actors`, style),
    ),
  ];
}

function shareText({covered, missing}: Exploration['states'], reader: Reader): string {
  return say(t`${covered.length} of ${covered.length + missing.length}`, reader);
}

export function tourLines({start, steps}: Tour, {style, width}: PathsView): string[] {
  const rows = steps.map((step) => {
    const stop = step.isIgnored ? say(t`ignored`, style) : `→ ${stopText(step, style)}`;
    return [oneLine(moveText(step.move)), stop] as const;
  });
  const shown = rows.map(([move]) => widthOfText(move)).filter((columns) => columns <= maxMove);
  const column = Math.max(0, ...shown);
  return [
    ...(start.state === undefined
      ? []
      : [truncate(`  ${say(t`start: ${stopText(start, style)}`, style)}`, width)]),
    ...rows.map(([move, stop]) => {
      const space = ' '.repeat(Math.max(0, column - widthOfText(move)));
      return truncate(`  ${move}${space}  ${stop}`, width);
    }),
  ];
}

function stopText({state}: Stop, reader: Reader): string {
  return state === undefined ? say(t`not started`, reader) : oneLine(placeText(state));
}

/** States and transitions that were not covered, failures, limits, and possible reasons. */
function missingLines(exploration: Exploration, {style, width}: PathsView): string[] {
  const {machine, transitions, reasons, states, limits, failures} = exploration;
  const names = transitionTexts(machine);
  const missing = transitions.missing.map((name) => {
    const [text, reason] = [names.get(name) ?? name, reasons.get(name)];
    return reason === undefined ? text : `${text} (${say(reasonTexts[reason], style)})`;
  });
  const needsSamples = [...reasons.values()].some((reason) => reason === 'refused');
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${oneLine(item, width - 2)}`)];
  const failed = failures.map(({message, moves}) =>
    moves.length === 0
      ? say(t`${message} (at its start)`, style)
      : say(t`${message} (moves: ${moves.map(moveText).join(', ')})`, style),
  );
  return [
    ...list(style.yellow(say(t`states that were not entered:`, style)), states.missing),
    ...list(style.yellow(say(t`transitions that were not taken:`, style)), missing),
    ...list(style.red(say(t`the machine fails:`, style)), failed),
    ...limits.flatMap((limit) => ['', style.yellow(say(limitTexts[limit], style))]),
    ...(failures.length > 0 || needsSamples
      ? [
          '',
          say(
            t`A guard may need other events, outputs or inputs: give samples, see quorate help paths.`,
            style,
          ),
        ]
      : []),
  ];
}

/** For programs. */
export function pathsData({exploration, tours, seconds}: Toured): unknown {
  const {machine, graph, states, transitions, reasons, limits, failures} = exploration;
  return {
    machine: machine.id,
    states,
    transitions,
    reasons: Object.fromEntries(reasons),
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
