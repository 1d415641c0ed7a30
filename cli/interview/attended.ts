/** An interview with a person at a terminal: shows its messages, and a line for the answer. */

import type {Run} from '../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {textsFor} from '../../machines/forms/interview/texts/texts.ts';
import {t} from '../../machines/message.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import {say} from '../language.ts';
import {eventLines} from '../render/live/events.ts';
import type {Level, Style} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import type {OpenScreen} from '../session.ts';
import {attend} from '../talk/one-run.ts';
import {shownMessage} from '../talk/questions.ts';
import type {Asking} from '../talk/waiting.ts';
import type {Terminal} from '../terminal.ts';
import type {Progress} from '../terminal/progress.ts';
import type {Surface} from '../terminal/surface.ts';
import {respondentStyle, roomFor} from './at-interview.ts';
import {messageLines, openingLines, recapLines, recapText, type Room} from './screen.ts';

export interface AttendedOptions {
  readonly terminal: Terminal;
  readonly level: Level;
  /** BCP 47, until the respondent's language is known. */
  readonly language?: string;
  /** The interview was begun earlier. */
  readonly isResumed: boolean;
}

/** After this time without a question, the status line says that the interview is working. */
const patienceMs = 400;
const redrawMs = 200;

/** Input and stderr must be terminals. */
export function attendedScreen(options: AttendedOptions): OpenScreen {
  const {terminal, language} = options;
  return ({one, surface, suspend}) => {
    const {run} = one;
    const style = respondentStyle(run, language, surface.style);
    const ground = {...options, run, surface, style};
    const progress = interviewProgress(ground);
    const prompter = attend(one, {
      terminal,
      surface,
      progress,
      suspend,
      style,
      showMessage: createMessages(ground),
    });
    let isClosed = false;
    let isWatched = false;
    /** An effect may end without an event. */
    const watch = async (): Promise<void> => {
      isWatched = true;
      const state = await run.quiet();
      isWatched = false;
      if (state === 'asked' && !isClosed) prompter.refresh();
    };
    const refresh = (): void => {
      prompter.refresh();
      if (!isWatched) void watch();
    };
    const atWork = (): string => oneLine(say(t`one moment …`, style), surface.size().width - 1);
    surface.follow(
      createPatience(() => run.atWork().length > 0, atWork),
      redrawMs,
    );
    const close = async (): Promise<void> => {
      isClosed = true;
      await prompter.close();
      surface.close();
    };
    return {progress, prompter: {refresh, close}};
  };
}

interface Ground extends Pick<AttendedOptions, 'level' | 'isResumed'> {
  readonly run: Run;
  readonly surface: Surface;
  readonly style: Style;
}

/** Shows each message once, the first below the title. */
function createMessages(ground: Ground): (question: Asking) => void {
  const {surface, style} = ground;
  /** The key of the message on the screen. */
  let shown: string | undefined;
  return (question) => {
    const {ask} = question.open;
    if (ask === shown) return;
    const room = roomFor(question, {...surface, style});
    if (shown === undefined) surface.print(beginningLines(ground, question.open, room));
    shown = ask;
    surface.print(messageLines(shownMessage(question), room));
  };
}

/** A paused interview gives its recap when it continues, and one that has just continued gives it in its message. */
function beginningLines(
  {run, isResumed}: Ground,
  {message, state}: Pick<OpenAsk, 'message' | 'state'>,
  room: Room,
): readonly string[] {
  const view = run.interview();
  if (!view) return [];
  const isRecapped = state === 'paused' || message.includes(recapText(view));
  const recap = isResumed && !isRecapped ? recapLines(view, room) : [];
  return [...openingLines(view.questionnaire, room), ...recap];
}

/** Returns a status text when the interview has been working for a while. */
function createPatience(isBusy: () => boolean, atWork: () => string): () => string | undefined {
  /** By `performance.now()`. */
  let askedAt = performance.now();
  return () => {
    if (!isBusy()) askedAt = performance.now();
    return performance.now() - askedAt <= patienceMs ? undefined : atWork();
  };
}

function interviewProgress({run, surface, level}: Ground): Progress {
  const {style, print} = surface;
  const linesFor = (event: ProgressEvent): readonly string[] => {
    const {width} = surface.size();
    if (event.type === 'interview.changed' && event.status === 'done') {
      const {label = event.field} =
        run.interview()?.questionnaire.fields.find(({id}) => id === event.field) ?? {};
      return [style.dim(`  ✓ ${oneLine(label, width - 5)}`)];
    }
    if (event.type === 'interview.submitted') {
      return ['', style.green(textsFor(event.answers.language).submitted), ''];
    }
    if (event.type.startsWith('interview.')) return [];
    const screenLevel = level === 'normal' ? 'warnings' : level;
    return eventLines(event, {style, level: screenLevel, width, isLive: true});
  };
  return {
    show: (event) => print(linesFor(event)),
    note: (line) => print([line]),
    insert: print,
    know: () => {},
    wasStreamed: () => false,
    pause: () => {},
    resume: () => {},
    close: surface.close,
  };
}
