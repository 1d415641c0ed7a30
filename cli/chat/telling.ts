/** What is told of the interactions of a conversation as they go, and what they came to. */

import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {createPrinted, type Printed} from '../render/live/printed.ts';
import {createProseStream, type ProseStream} from '../render/live/prose-stream.ts';
import {createTeller, type Teller} from '../render/live/reporter.ts';
import {footerLines, isDocument, resultLines} from '../render/result/result.ts';
import type {Level} from '../render/screen.ts';
import {oneLine, proseRows, wrapWords} from '../render/text.ts';
import type {RunView} from '../render/view/run-view.ts';
import {placeOf} from '../render/view/session-view.ts';
import {note, type Ui} from './chat.ts';
import {notSent} from './questions/undelivered.ts';
import {isSuspended, type Root, type Roots} from './roots.ts';

export interface Telling {
  readonly onEvent: (root: Root, event: ProgressEvent, before: RunView) => void;
  readonly onResult: (root: Root, result: RunResult) => void;
}

interface RootTelling {
  readonly teller: Teller;
  readonly answer: ProseStream;
  readonly printed: Printed;
}

const maxSuspended = 2000;

export function createTelling(ui: Ui, level: Level, roots: () => Roots): Telling {
  const told = createMemory();
  const of = createTellings(() => ui.size().width);
  const isAlone = (id: string): boolean =>
    roots()
      .working()
      .every((root) => root.id === id);
  const label = (id: string): string => {
    const root = roots().of(id);
    return root?.id === id && isAlone(id) ? '' : placeOf(roots().view(), id);
  };
  return {
    onEvent: (root, event, before) => {
      const {teller, answer, printed} = of(root);
      if (event.type === 'tool.output') printed.add(event.text);
      if (event.type === 'model.delta') {
        // Two answers at once would be torn to pieces: the others come whole, at their end.
        const isShown = ui.isOneScreen && isAlone(root.id) && streams(root, event, level);
        return ui.write(isShown ? answer.add(event.text) : '');
      }
      if (event.type === 'usage') ui.write(answer.end());
      if (answer.covers(event) || told.hasHeard(event)) return;
      const screen = {style: ui.style, level, width: ui.size().width, isLive: ui.isAttended};
      const views = {before, after: root.view};
      const lines = teller.tell(event, views, {...screen, nameOf: label});
      if (lines.length > 0) answer.leave();
      const whole = told.answerIn(event).flatMap((text) => proseRows(text, ui.size().width, '  '));
      ui.print([...lines, ...whole]);
    },
    onResult: (root, result) => {
      const {answer, printed} = of(root);
      ui.write(answer.end());
      if (isSuspended(root)) return ui.print(suspendedLines(root, result, ui));
      const isTold = result.answer !== undefined && answer.told(result.answer);
      const isBrief = ui.isOneScreen && (level === 'normal' || level === 'verbose');
      const mark = isAlone(root.id) ? '' : `[${root.number}] `;
      const width = ui.tellWidth() - mark.length;
      const view = {
        style: ui.style,
        width,
        isTold,
        isBrief,
        printed: isBrief ? printed.lines() : [],
      };
      ui.tell(marked(resultLines(result, view), ui.style.bold(mark)));
      if (isDocument(result)) tellUnread(root, result, ui);
      if (level !== 'quiet' && isDocument(result)) {
        ui.print(footerLines(result, {style: ui.style, width: ui.size().width}));
      }
    },
  };
}

function createTellings(width: () => number): (root: Root) => RootTelling {
  const tellings = new Map<string, RootTelling>();
  return ({id}) => {
    const known = tellings.get(id) ?? {
      teller: createTeller(),
      answer: createProseStream(width),
      printed: createPrinted(),
    };
    tellings.set(id, known);
    return known;
  };
}

interface Memory {
  /** Whoever has said something knows it, and a warning that is true of each run that begins is enough once. */
  readonly hasHeard: (event: ProgressEvent) => boolean;
  /** What a child came to that a person asked for: they read it whole. */
  readonly answerIn: (event: ProgressEvent) => readonly string[];
}

function createMemory(): Memory {
  const warnings = new Set<string>();
  const asked = new Set<string>();
  return {
    hasHeard: (event) => {
      if (event.type === 'user.said' || event.type === 'interview.asked') return true;
      if (event.type !== 'warning' || event.code !== undefined) return false;
      const wasHeard = warnings.has(event.message);
      warnings.add(event.message);
      return wasHeard;
    },
    answerIn: (event) => {
      if (event.type === 'interaction.spawned' && event.by === 'person') asked.add(event.child);
      if (event.type !== 'interaction.settled' || event.text === undefined) return [];
      const isAsked = event.child !== undefined && asked.delete(event.child);
      return isAsked ? [event.text.replace(/^\[[^\]]*\]: /, '')] : [];
    },
  };
}

/** The answer of a question that stands for itself. */
function streams({form, id}: Root, {interaction}: ProgressEvent, level: Level): boolean {
  return form === 'ask' && id === interaction && (level === 'normal' || level === 'verbose');
}

/** A document has no place for words that came after its last turn. */
function tellUnread({number}: Root, {unheard = []}: RunResult, ui: Ui): void {
  for (const text of unheard) {
    note(ui, notSent(`${number} ended before it read this`, text), ui.style.yellow);
  }
}

/** The first line names the task, where others work. */
function marked([first, ...rest]: readonly string[], mark: string): string[] {
  return first === undefined ? [] : [mark + first, ...rest];
}

function suspendedLines({number}: Root, {error}: RunResult, {style, size}: Ui): string[] {
  const way = `/resume ${number} goes on`;
  const text = error
    ? `${number} is suspended: ${error.message.replace(/[.;]$/, '')}; ${way}`
    : `${number} is suspended: ${way}`;
  return wrapWords(oneLine(text, maxSuspended), size().width).map(style.yellow);
}
