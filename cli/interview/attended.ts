/** An interview with a person at a terminal: shows its messages, and a line for the answer. */

import type {Run} from '../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {textsFor} from '../../machines/forms/interview/texts/texts.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import {eventLines} from '../render/live/events.ts';
import type {Level} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import type {OpenScreen} from '../session.ts';
import type {Terminal} from '../terminal.ts';
import {createAsked} from '../terminal/asking.ts';
import type {Progress} from '../terminal/progress.ts';
import {createPrompter} from '../terminal/prompter.ts';
import {createRunDialogue, type RootInterview} from '../terminal/run-dialogue.ts';
import {createSurface, type Surface} from '../terminal/surface.ts';
import {languageIn} from './conversation.ts';
import {
  messageLines,
  openingLines,
  recapLines,
  recapText,
  type Room,
  withoutSecrets,
} from './screen.ts';
import {wordsFor} from './words.ts';

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
  return (shown) => {
    const {run} = shown;
    const surface = createSurface(terminal);
    const asked = createAsked('one-by-one');
    const progress = interviewProgress({...options, run, surface});
    const interview = {
      ...(language === undefined ? {} : {language}),
      put: createMessages({...options, run, surface}),
      isAtWork: () => run.atWork().length > 0,
    };
    const prompter = createPrompter(
      createRunDialogue({...shown, progress, surface, env: terminal.env, interview}),
      {asked, surface, input: terminal.stdin, isKeyboardLent: false},
    );
    const isQuiet = (): boolean => asked.getSnapshot().context.current === undefined;
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
    const atWork = (): string => {
      const words = wordsFor(languageIn(run.interview()) ?? language);
      return oneLine(words.atWork, surface.size().width - 1);
    };
    surface.follow(createPatience(isQuiet, atWork), redrawMs);
    const close = async (): Promise<void> => {
      isClosed = true;
      await prompter.close();
      surface.close();
    };
    return {progress, prompter: {...prompter, refresh, close}};
  };
}

interface Ground extends Pick<AttendedOptions, 'level' | 'isResumed'> {
  readonly run: Run;
  readonly surface: Surface;
}

/** Shows each message once, the first below the title. */
function createMessages(ground: Ground): RootInterview['put'] {
  const {run, surface} = ground;
  /** The key of the message on the screen. */
  let shown: string | undefined;
  return ({ask, message, state}, room) => {
    if (ask === shown) return;
    if (shown === undefined) surface.print(beginningLines(ground, {message, state}, room));
    shown = ask;
    const view = run.interview();
    const text = view && state === 'confirming' ? withoutSecrets(message, view) : message;
    surface.print(messageLines(text, room));
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
function createPatience(isQuiet: () => boolean, atWork: () => string): () => string | undefined {
  /** By `performance.now()`. */
  let askedAt = performance.now();
  return () => {
    if (!isQuiet()) askedAt = performance.now();
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
    know: () => {},
    wasStreamed: () => false,
    pause: () => {},
    resume: () => {},
    close: surface.close,
  };
}
