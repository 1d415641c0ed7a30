/** The lines of the views of an interaction: plan, votes, diff, tree, log. Each fact is rendered as elsewhere. */

import type {Change} from '../../machines/domain/patch.ts';
import {seatSummary} from '../../machines/domain/review.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {type Message, t} from '../../machines/message.ts';
import {protocolWord, say} from '../language.ts';
import {changesLines} from '../render/live/calls.ts';
import {createReporter} from '../render/live/reporter.ts';
import {outText} from '../render/live/status.ts';
import {wholeTaskLines} from '../render/plan.ts';
import {voteTitle} from '../render/result/votes.ts';
import {reasonRows, reasonText, roundLines} from '../render/round.ts';
import type {Paint, Style} from '../render/style.ts';
import {treeLines} from '../render/tables/tree.ts';
import {oneLine, proseRows} from '../render/text.ts';
import {advance} from '../render/view/fold.ts';
import {interactionIn, isWithin} from '../render/view/interactions.ts';
import {
  emptyView,
  type RoundView,
  type RunView,
  type TaskState,
  type TaskView,
} from '../render/view/run-view.ts';
import type {PaneView} from './layout.ts';

export interface PaneFacts {
  readonly run: RunView;
  /** The interaction that is shown. */
  readonly interaction: string;
  /** The events of the run, the oldest first. */
  readonly events: readonly ProgressEvent[];
  /** The writes of the run, the oldest first. */
  readonly changes: readonly Change[];
  /** Paths of files that are as before the run. */
  readonly undone: ReadonlySet<string>;
}

export interface PaneLook {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
  /** The name of an interaction. */
  readonly nameOf: (interaction: string) => string;
}

type Render = (facts: PaneFacts, look: PaneLook) => readonly string[];

const views: Readonly<Record<Exclude<PaneView, 'talk'>, Render>> = {
  plan: planLines,
  votes: votesLines,
  diff: ({changes, undone}, look) => changesLines(changes, undone, look),
  tree: ({run, interaction}, look) => treeLines([run], {...look, focus: interaction}),
  log: logLines,
};

const empty: Readonly<Record<Exclude<PaneView, 'talk'>, Message>> = {
  plan: t`no plan yet`,
  votes: t`no votes yet`,
  diff: t`no files were changed`,
  tree: t`nothing was begun yet: type a task`,
  log: t`nothing has happened yet`,
};

/** At least one line. */
export function paneLines(
  view: Exclude<PaneView, 'talk'>,
  facts: PaneFacts,
  look: PaneLook,
): readonly string[] {
  const lines = views[view](facts, look);
  return lines.length > 0 ? lines : [look.style.dim(say(empty[view], look.style))];
}

/** The tasks of the current plan with their states, after those of earlier plans. */
function planLines({run, interaction}: PaneFacts, look: PaneLook): readonly string[] {
  const {style, width} = look;
  const {plan} = interactionIn(run, interaction) ?? {};
  const own = run.tasks.filter((task) => task.interaction === interaction);
  const isPlanned = ({id}: TaskView): boolean =>
    plan?.tasks.some((task) => task.id === id) ?? false;
  const earlier = own
    .filter((task) => !isPlanned(task))
    .flatMap((task) =>
      taskRows(task, [oneLine(`${task.id} ${task.description}`, width - 2)], look),
    );
  if (!plan) return earlier;
  return [
    ...earlier,
    ...proseRows(plan.objective, width).map(style.bold),
    ...wholeTaskLines(plan, width - 2, style, ({id}, rows) =>
      taskRows(
        own.find((task) => task.id === id),
        rows,
        look,
      ),
    ),
  ];
}

const marks: Readonly<
  Record<TaskState, readonly [mark: string, paint: keyof Omit<Style, 'language'>]>
> = {
  planned: ['·', 'dim'],
  running: ['▸', 'cyan'],
  succeeded: ['✓', 'green'],
  failed: ['✗', 'red'],
  stopped: ['✗', 'red'],
  lost: ['✗', 'red'],
  skipped: ['–', 'dim'],
  cutOff: ['–', 'dim'],
  notReached: ['–', 'dim'],
};

const ends: Readonly<Partial<Record<TaskState, Message>>> = {
  cutOff: t`cut off`,
  notReached: t`not reached`,
};

/** The mark of its state before the first row; below the rows its running calls, or how it ended. */
function taskRows(
  task: TaskView | undefined,
  rows: readonly string[],
  {style, width}: PaneLook,
): readonly string[] {
  const [mark, colour] = marks[task?.state ?? 'planned'];
  const paint: Paint = style[colour];
  const running = task?.calls.filter(({state}) => state === 'running') ?? [];
  return [
    ...rows.map((row, index) => (index === 0 ? `${paint(mark)} ${row}` : `  ${row}`)),
    ...running.map(({tool, summary}) =>
      style.dim(`     ${oneLine(summary === '' ? tool : summary, width - 5)}`),
    ),
    ...(task ? endRows(task, {style, width}).map(paint) : []),
  ];
}

/** Of a task that did not succeed. */
function endRows(
  {state, message}: TaskView,
  {style, width}: Pick<PaneLook, 'style' | 'width'>,
): readonly string[] {
  if (state === 'planned' || state === 'running' || state === 'succeeded') return [];
  const end = say(ends[state] ?? protocolWord(state), style);
  return proseRows(message === '' ? end : `${end}: ${message}`, width, '     ');
}

/** Every round with the reasons of all seats. An open one has its ballots as they come. */
function votesLines({run, interaction}: PaneFacts, {style, width}: PaneLook): readonly string[] {
  const {language} = style;
  return run.rounds
    .filter((round) => round.interaction === interaction)
    .flatMap(({decided, ...open}) => {
      if (!decided) return openRoundLines(open, style, width);
      const label = voteTitle(decided, style);
      return roundLines(decided, style, {label, width, all: true, whole: true, language});
    });
}

/** `plan "Greet", round 2: [●·] waiting for b` */
function openRoundLines(
  round: Omit<RoundView, 'decided'>,
  style: Style,
  width: number,
): readonly string[] {
  const {seats, votes} = round;
  const verdicts = seats.map((seat) => votes.find(({model}) => model === seat)?.verdict);
  const state = `${seatSummary(verdicts)} ${outText(round, style)}`.trimEnd();
  return [
    ...proseRows(`${voteTitle(round, style)}: ${state}`, width).map(style.cyan),
    ...votes.flatMap((vote) => reasonRows(reasonText(vote), {width, whole: true})),
  ];
}

function logLines({events, interaction}: PaneFacts, look: PaneLook): readonly string[] {
  return events.flatMap(createLog(interaction, look));
}

/** Gives the lines of one event of the run after another: all that happens in the interaction and below it, with all details. */
export function createLog(
  interaction: string,
  look: PaneLook,
): (event: ProgressEvent) => readonly string[] {
  const reporter = createReporter();
  const screen = {...look, level: 'verbose', isLive: false} as const;
  let before = emptyView;
  return (event) => {
    const after = advance(before, event);
    const lines = reporter.report(event, {before, after}, screen);
    before = after;
    return isWithin(event.interaction, interaction) ? lines : [];
  };
}
