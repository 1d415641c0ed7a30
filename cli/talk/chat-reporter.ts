/** Prints the progress of a conversation's interactions, and their results. */

import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {t, type Message} from '../../machines/message.ts';
import {say} from '../language.ts';
import {saidBy} from '../render/live/interactions.ts';
import {createProseStream, type ProseStream} from '../render/live/prose-stream.ts';
import {createReporter} from '../render/live/reporter.ts';
import {footerLines, hasResult, isDocument, resultLines} from '../render/result/result.ts';
import type {Level, Lines, Screen} from '../render/style.ts';
import {oneLine, wrapWords} from '../render/text.ts';
import {interactionIn} from '../render/view/interactions.ts';
import type {RunView} from '../render/view/run-view.ts';
import {placeOf} from '../render/view/session-view.ts';
import {isSuspended, type Root, type Roots} from './roots.ts';
import {note, type Ui} from './talk.ts';
import {notSent, suspendedTexts} from './undelivered.ts';

export interface ChatReporter {
  readonly onEvent: (root: Root, event: ProgressEvent, before: RunView) => void;
  readonly onResult: (root: Root, result: RunResult) => void;
}

const maxSuspended = 2000;

export function createChatReporter(ui: Ui, level: Level, roots: () => Roots): ChatReporter {
  const memory = createMemory();
  const reporterOf = kept(createReporter);
  const answerOf = kept(() => createProseStream(() => ui.size().width));
  const isAlone = (id: string): boolean =>
    roots()
      .working()
      .every((root) => root.id === id);
  const label = (id: string): string =>
    roots().of(id)?.id === id && isAlone(id) ? '' : placeOf(roots().view(), id);
  /** Two answers streamed at once would mix: others are printed whole, at their end. */
  const canStream = (root: Root): boolean =>
    ui.isOneScreen && (isInTab(root, ui) || isAlone(root.id));
  const {stream, endStream} = createStreams(ui, answerOf);
  /** In a tab, only lines about a child have its name; without tabs, the result of a child that a person began is whole. */
  const screenFor = (root: Root, event: ProgressEvent): Screen => {
    const isInOwn = isInTab(root, ui);
    const isWhole = memory.isAsked(event) && !isInOwn;
    const labelIn = (id: string): string =>
      'child' in event && event.child === id ? placeOf(roots().view(), id) : '';
    return {
      style: ui.style,
      level: isWhole ? 'verbose' : level,
      width: ui.size().width,
      isLive: ui.isAttended,
      nameOf: isInOwn ? labelIn : label,
    };
  };
  return {
    onEvent: (root, event, before) => {
      const place = isInTab(root, ui) ? event.interaction : root.id;
      const answer = answerOf(place);
      if (event.type === 'model.delta') {
        const isStreamed = canStream(root) && streams(root, event, level, ui);
        return isStreamed ? stream(place, event.text) : undefined;
      }
      if (event.type === 'usage') endStream(place);
      if (answer.covers(event) || memory.isKnown(event)) return;
      const views = {before, after: root.view};
      const lines = reporterOf(root.id).layOut(event, views, screenFor(root, event));
      if (lines(ui.size().width).length > 0) {
        answer.leave();
        ui.print(lines, event.interaction);
      }
      showAnswer(event, ui, answerOf);
    },
    onResult: (root, result) => {
      endStream(root.id);
      if (isSuspended(root)) return ui.print(suspendedLines(root, result, ui), root.id);
      const {answer = ''} = result;
      printResult(root, result, {
        ui,
        level,
        isStreamed: answer !== '' && answerOf(root.id).wasStreamed(answer),
        mark: isInTab(root, ui) || isAlone(root.id) ? '' : `[${root.number}] `,
      });
    },
  };
}

interface ResultPlace {
  readonly ui: Ui;
  readonly level: Level;
  readonly isStreamed: boolean;
  /** Before the first line: the number of the root, where others run. */
  readonly mark: string;
}

function printResult(root: Root, result: RunResult, place: ResultPlace): void {
  const {ui, level, isStreamed, mark} = place;
  const isBrief = ui.isOneScreen && (level === 'normal' || level === 'verbose');
  const view = {style: ui.style, isStreamed, isBrief, ...proseOf(ui)};
  const print = hasResult(result) ? ui.report : ui.print;
  print((columns) => {
    const lines = resultLines(result, {...view, width: columns - mark.length});
    return marked(lines, ui.style.bold(mark));
  }, root.id);
  if (!isDocument(result)) return;
  noteUnread(root, result, ui);
  if (level !== 'quiet')
    ui.print((width) => footerLines(result, {style: ui.style, width}), root.id);
}

/** The outcome of a child in its own tab, unless it was streamed. */
function showAnswer(
  event: ProgressEvent,
  ui: Ui,
  answerOf: (interaction: string) => ProseStream,
): void {
  if (event.type !== 'interaction.settled') return;
  const {child, status, summary, text = ''} = event;
  const said = saidBy({status, summary, text});
  if (child === undefined || answerOf(child).wasStreamed(said)) return;
  ui.stream?.(said, child);
  ui.stream?.(undefined, child);
}

/** A result that goes to a file stays text. */
function proseOf({prose, isOneScreen}: Ui): Pick<Ui, 'prose'> {
  return prose && isOneScreen ? {prose} : {};
}

interface Streams {
  readonly stream: (interaction: string, text: string) => void;
  readonly endStream: (interaction: string) => void;
}

function createStreams(ui: Ui, answerOf: (interaction: string) => ProseStream): Streams {
  return {
    stream: (interaction, text) => {
      const written = answerOf(interaction).add(text);
      if (ui.stream) ui.stream(text, interaction);
      else ui.write(written, interaction);
    },
    endStream: (interaction) => {
      const written = answerOf(interaction).end();
      if (ui.stream) ui.stream(undefined, interaction);
      else ui.write(written, interaction);
    },
  };
}

/** A command of the person has no tab of its own. */
function isInTab({form}: Root, ui: Ui): boolean {
  return ui.isShown !== undefined && form !== 'command';
}

/** One for each ID. */
function kept<T>(create: () => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    const one = known.get(id) ?? create();
    known.set(id, one);
    return one;
  };
}

interface Memory {
  /** True for a person's own words, read or unread, and for a warning about every run that was shown before. */
  readonly isKnown: (event: ProgressEvent) => boolean;
  /** True for the end of a child that a person began: its result is shown whole. */
  readonly isAsked: (event: ProgressEvent) => boolean;
}

function createMemory(): Memory {
  const warnings = new Set<string>();
  const asked = new Set<string>();
  return {
    isKnown: (event) => {
      if (event.type === 'user.said' || event.type === 'interview.asked') return true;
      if (event.type !== 'warning') return false;
      if (event.code !== undefined) return event.code === 'unread';
      const isKnown = warnings.has(event.message);
      warnings.add(event.message);
      return isKnown;
    },
    isAsked: (event) => {
      if (event.type === 'interaction.spawned' && event.by === 'person') asked.add(event.child);
      const isEnd = event.type === 'interaction.settled' && event.child !== undefined;
      return isEnd && asked.delete(event.child);
    },
  };
}

/** The text of an answer that is streamed: of an ask, below the root only in its own tab. */
function streams(root: Root, {interaction}: ProgressEvent, level: Level, ui: Ui): boolean {
  const isRoot = interaction === root.id;
  const form = isRoot ? root.form : interactionIn(root.view, interaction)?.form;
  const isSeen = (isRoot || isInTab(root, ui)) && (level === 'normal' || level === 'verbose');
  return form === 'ask' && isSeen;
}

/** A document has no place for words that arrived after its last turn. */
function noteUnread({number}: Root, {unheard: unread = []}: RunResult, ui: Ui): void {
  const before: Message = t`${number} ended before it read this`;
  for (const text of unread) {
    note(ui, notSent(before, text), ui.style.yellow);
  }
}

/** The mark in the first line names the task when others run. */
function marked([first, ...rest]: readonly string[], mark: string): string[] {
  return first === undefined ? [] : [mark + first, ...rest];
}

function suspendedLines({number}: Root, {error}: RunResult, {style}: Ui): Lines {
  const text = error
    ? say(
        t`${number} is suspended: ${error.message.replace(/[.;。]$/, '')}; /resume ${number} continues it`,
        style,
      )
    : say(suspendedTexts(number), style);
  return (width) => wrapWords(oneLine(text, maxSuspended), width).map(style.yellow);
}
