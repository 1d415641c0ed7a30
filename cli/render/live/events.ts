/** Progress events as lines for stderr. Escapes all text from models, tools and files. */

import {isOfflineLine} from '../../../actors/config/forms.ts';
import {allowedText} from '../../../machines/domain/allow-rule.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {t} from '../../../machines/message.ts';
import {protocolWord, say, type Reader, wordIn} from '../../language.ts';
import {changeLines, taskLines, wholeTaskLines} from '../plan.ts';
import {answeredLines, reviewedLines} from '../result/discussion.ts';
import {voteTitle} from '../result/votes.ts';
import {roundLines} from '../round.ts';
import type {Level, Screen} from '../style.ts';
import {oneLine, proseRows, widthOfText, wrapWords} from '../text.ts';
import {warningText} from '../warning.ts';
import {callLines, outputLines, settledLines} from './calls.ts';
import {meanText, turnLines} from './debate.ts';
import {endLines, refusedLines, spawnedLines} from './interactions.ts';
import {askedLines, changedLines, repliedLines, reviewedFieldLines} from './interview.ts';

type EventType = ProgressEvent['type'];
type Of<T extends EventType> = Extract<ProgressEvent, {readonly type: T}>;
type Describe<T extends EventType> = (event: Of<T>, screen: Screen) => readonly string[];

const nothing = (): readonly string[] => [];

/** One entry for each event; the compiler reports a missing one. */
const describers: {readonly [T in EventType]: Describe<T>} = {
  'interaction.started': (event, {style, width}) => [
    `${style.bold(event.form)} ${style.dim(event.interaction)}: ${oneLine(event.request, roomIn(width, `${event.form} ${event.interaction}: `))}`,
  ],
  'interaction.spawned': spawnedLines,
  'interaction.refused': refusedLines,
  'user.said': ({text}, {style, width}) => [
    style.dim(`  ${oneLine(say(t`received: ${text}`, style), width - 2)}`),
  ],
  'interaction.settled': endLines,
  'phase.changed': ({phase}, {style}) => [style.cyan(`▸ ${phaseName(phase, style)}`)],
  thought: ({text, task}, {style, level, width}) => {
    if (level === 'verbose') return [style.dim(`  ${oneLine(text, 2000)}`)];
    return task === undefined ? [style.dim(`  ${oneLine(text, width - 2)}`)] : [];
  },
  'plan.created': (event, screen) => planCreated(say(t`plan`, screen.style), event, screen),
  'plan.revised': (event, screen) =>
    planCreated(say(t`plan, revision ${event.revision}`, screen.style), event, screen),
  'result.judged': ({successful, problems, feedback}, {style, width}) =>
    successful
      ? []
      : [
          ...problems.map((problem) => say(t`not done yet: ${problem}`, style)),
          feedback && say(t`feedback: ${feedback}`, style),
        ]
          .filter((text) => text !== '')
          .map((text) => style.yellow(`  ${oneLine(text, width - 2)}`)),
  'task.started': (event, {style, width}) => [
    `  ${oneLine(say(t`task ${event.task}: ${event.description}`, style), width - 2)}`,
  ],
  'task.settled': taskSettled,
  'tool.called': callLines,
  'tool.settled': settledLines,
  'tool.retried': (event, {style, width}) => [
    style.yellow(
      `    ${oneLine(say(t`${event.tool}: attempt ${event.attempt}: ${event.message}`, style), width - 4)}`,
    ),
  ],
  'quorum.started': nothing,
  'ballot.cast': nothing,
  'quorum.decided': voteLines,
  'debate.turn': (event, {style, width, level}) =>
    turnLines(event, {style, width, isWhole: level === 'verbose'}),
  'discuss.answered': (event, {style, width, level}) =>
    answeredLines(event, {style, width, isWhole: level === 'verbose'}),
  'discuss.reviewed': (event, {style, width, level}) =>
    reviewedLines(event, {style, width, isWhole: level === 'verbose'}),
  'ensemble.started': ({planners}, {style, width}) => [
    `  ${oneLine(say(t`${planners.length} {planner|planners}: ${planners.join(', ')}`, style), width - 2)}`,
  ],
  'ensemble.drafted': draftLines,
  'ensemble.scored': ({by, of, score, reasons}, {style, level, width}) => {
    const said = `${say(t`${by} gives ${of} ${score}`, style)}${level === 'verbose' ? `: ${reasons.join('; ')}` : ''}`;
    return [style.dim(`    ${oneLine(said, level === 'verbose' ? 2000 : width - 4)}`)];
  },
  'ensemble.chosen': chosenLines,
  'human.requested': ({question}, {style, width, isLive}) =>
    // On a terminal the question itself follows.
    isLive
      ? []
      : proseRows(say(t`a person must decide: ${question.reason}`, style), width, '  ').map(
          style.yellow,
        ),
  'human.decided': humanDecided,
  'decision.refused': ({because}, {style, width}) => [
    style.yellow(`  ${oneLine(say(t`the decision took no effect: ${because}`, style), width - 2)}`),
  ],
  'rule.made': ({rule}, {style, width}) => [
    style.yellow(
      `  ${oneLine(say(t`allowed from now on in ${rule.folder}: ${allowedText(rule)}`, style), width - 2)}`,
    ),
    style.dim(
      `  ${oneLine(say(t`quorate config --forget COMMAND takes it back`, style), width - 2)}`,
    ),
  ],
  'interview.asked': askedLines,
  'interview.replied': repliedLines,
  'interview.reviewed': reviewedFieldLines,
  'interview.changed': changedLines,
  'interview.submitted': (_, {style}) => [style.green(`✓ ${say(t`submitted`, style)}`)],
  'model.retried': nothing,
  'model.delta': nothing,
  'tool.output': outputLines,
  usage: nothing,
  warning: warningLines,
  'limit.reached': ({limit, message}, {style}) => [
    style.yellow(`${say(t`limit`, style)} ${oneLine(limit, 60)}: ${oneLine(message, 1000)}`),
  ],
  result: nothing,
};

/** The lines of one event; none when it is not shown at this level. */
export function eventLines<T extends EventType>(event: Of<T>, screen: Screen): readonly string[] {
  const describe: Describe<T> = describers[event.type];
  if (!isWanted(event, screen.level)) return [];
  return describe(event, screen);
}

/** A decision without a person, and the lack of a working model, are shown even with -q. */
function isWanted(event: ProgressEvent, level: Level): boolean {
  if (level === 'normal' || level === 'verbose') return true;
  if (event.type === 'human.decided') return event.by !== 'person';
  return event.type === 'warning' && (level === 'warnings' || isOfflineLine(event.message));
}

/** With -q, the first sentence only. */
function warningLines(event: Of<'warning'>, {style, level, width, isLive}: Screen): string[] {
  const [first = ''] = event.message.split('. ');
  const line = warningText(level === 'quiet' ? first : event.message, style);
  return (isLive ? wrapWords(line, width) : [line]).map(style.yellow);
}

/** A vote is shown once it is decided: in a line, with the reasons of all who did not approve. */
function voteLines(round: Of<'quorum.decided'>, {style, level, width}: Screen): string[] {
  const {language} = style;
  const label = voteTitle(round, style);
  const all = level === 'verbose';
  const view = {label, width: width - 2, all, whole: true, isTerse: !all, language};
  return roundLines(round, style, view).map((line) => `  ${line}`);
}

function chosenLines({by, drafts, isLow}: Of<'ensemble.chosen'>, {style, width}: Screen): string[] {
  const mean = meanText(
    drafts.find((draft) => draft.by === by),
    style,
  );
  return [
    `  ${oneLine(say(t`the plan of ${by} is taken${mean}${isLow ? t` and drafted again` : ''}`, style), width - 2)}`,
  ];
}

/** `reviewingPlan` → `reviewing plan`. */
export function phaseName(phase: string, reader: Reader): string {
  const word = wordIn(phase, reader);
  if (word !== phase) return word;
  return oneLine(phase.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase(), 60);
}

function humanDecided(
  {decision, by, reason}: Of<'human.decided'>,
  {style, width}: Screen,
): readonly string[] {
  // The warning says why auto_approve was asked, and the message says what should be different.
  const isSaid = by === 'auto_approve' || decision === 'revise';
  const why = reason === undefined || isSaid ? '' : `: ${oneLine(reason, width - 24)}`;
  const decider = wordIn(oneLine(by, 40), style);
  const said = say(t`decided by ${decider}: ${protocolWord(decision)}`, style);
  return [style.yellow(`  ${said}${why}`)];
}

function planCreated(
  label: string,
  {plan, changes = [], by}: Of<'plan.created'> | Of<'plan.revised'>,
  {style, width}: Screen,
): readonly string[] {
  const author = say(t`(by ${protocolWord(oneLine(by, 60))})`, style);
  const objective = oneLine(plan.objective, roomIn(width, `  ${label}:  ${author}`));
  // A plan given by a person is shown in full before it runs.
  const lines =
    by === 'person'
      ? [
          ...wholeTaskLines(plan, width - 4, style),
          ...plan.tasks.flatMap((task) => changeLines(task, changes, {style, width: width - 4})),
        ]
      : taskLines(plan, style, width - 4, changes);
  return [
    `  ${label}: ${style.bold(objective)} ${style.dim(author)}`,
    ...lines.map((line) => `    ${line}`),
  ];
}

/** The columns left beside these words; a narrow terminal wraps rather than hides everything. */
function roomIn(width: number, words: string): number {
  return Math.max(20, width - widthOfText(words));
}

function taskSettled(event: Of<'task.settled'>, {style, width}: Screen): readonly string[] {
  const good = event.status === 'succeeded';
  const head = say(t`task ${event.task} ${protocolWord(event.status)}`, style);
  const words = good || event.message === '' ? head : `${head}: ${event.message}`;
  return [`  ${(good ? style.green : style.red)(good ? '✓' : '✗')} ${oneLine(words, width - 4)}`];
}

function draftLines(
  {by, plan, because = ''}: Of<'ensemble.drafted'>,
  {style, width}: Screen,
): readonly string[] {
  return plan
    ? [`    ${oneLine(`${by}: ${plan.objective}`, width - 4)}`]
    : [style.yellow(`    ${oneLine(say(t`${by} has no plan: ${because}`, style), width - 4)}`)];
}
