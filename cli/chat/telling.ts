/** What is told of the interactions of a conversation as they go, and what they came to. */

import type {ProgressEvent} from '../../machines/domain/progress.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {Level} from '../lines/events.ts';
import {createProseStream, type ProseStream} from '../lines/prose-stream.ts';
import {footerLine, resultLines} from '../lines/result.ts';
import {createTeller, type Teller} from '../lines/teller.ts';
import {proseRows} from '../lines/text.ts';
import type {RunView} from '../view/run-view.ts';
import {placeOf} from '../view/session-view.ts';
import type {Ui} from './chat.ts';
import {isSuspended, type Root, type Roots} from './roots.ts';

export interface Telling {
  readonly onEvent: (root: Root, event: ProgressEvent, before: RunView) => void;
  readonly onResult: (root: Root, result: RunResult) => void;
}

interface RootTelling {
  readonly teller: Teller;
  readonly answer: AnswerRows;
  /** The latest lines that its commands have printed. */
  readonly printed: string[];
}

const maxPrinted = 5000;

export function createTelling(ui: Ui, level: Level, roots: () => Roots): Telling {
  const tellings = new Map<string, RootTelling>();
  const of = ({id}: Root): RootTelling => {
    const known = tellings.get(id) ?? {
      teller: createTeller(),
      answer: createAnswerRows(() => ui.size().width),
      printed: [],
    };
    tellings.set(id, known);
    return known;
  };
  const isAlone = (id: string): boolean =>
    roots()
      .working()
      .every((root) => root.id === id);
  const label = (id: string): string => {
    const root = roots().of(id);
    return root?.id === id && isAlone(id) ? '' : placeOf(roots().view(), id);
  };
  /** Whoever asked below a task reads the answer whole. */
  const asked = new Set<string>();
  const askedFor = (event: ProgressEvent): readonly string[] => {
    if (event.type === 'interaction.spawned' && event.by === 'person') asked.add(event.child);
    const {child, text} = event.type === 'interaction.settled' ? event : {};
    if (child === undefined || text === undefined || !asked.delete(child)) return [];
    return proseRows(text.replace(/^\[[^\]]*\]: /, ''), ui.size().width, '  ');
  };
  return {
    onEvent: (root, event, before) => {
      const {teller, answer, printed} = of(root);
      if (event.type === 'tool.output') keep(printed, event.text);
      if (event.type === 'model.delta') {
        // Two answers at once would be torn to pieces: the others come whole, at their end.
        if (ui.isOneScreen && streams(root, event, level) && isAlone(root.id))
          ui.print(answer.add(event.text));
        return;
      }
      const rest = event.type === 'usage' ? answer.end() : [];
      if (isKnown(event, answer)) return;
      const screen = {style: ui.style, level, width: ui.size().width, isLive: ui.isAttended};
      const views = {before, after: root.view};
      const lines = teller.tell(event, views, {...screen, nameOf: label});
      if (lines.length > 0) answer.leave();
      ui.print([...rest, ...lines, ...askedFor(event)]);
    },
    onResult: (root, result) => {
      const {answer, printed} = of(root);
      ui.print(answer.end());
      if (isSuspended(root)) return ui.print(suspendedLines(root, result, ui));
      const isTold = result.answer !== undefined && answer.told(result.answer);
      const isBrief = ui.isOneScreen && (level === 'normal' || level === 'verbose');
      const view = {style: ui.style, width: ui.size().width, isTold, isBrief};
      const head = isAlone(root.id) ? [] : [ui.style.bold(`[${root.number}]`)];
      ui.tell([...head, ...resultLines(result, {...view, printed: isBrief ? printed : []})]);
      if (level !== 'quiet' && (result.form === 'ask' || result.form === 'discuss')) {
        ui.print([footerLine(result, ui.style)]);
      }
    },
  };
}

/** An answer ends what there is to see: that it is checked, too, needs no line between it and its sources. */
function isKnown(event: ProgressEvent, {told, isLast}: AnswerRows): boolean {
  return event.type === 'thought' ? told(event.text) : event.type === 'phase.changed' && isLast();
}

/** The answer of a question that stands for itself. */
function streams({form, id}: Root, {interaction}: ProgressEvent, level: Level): boolean {
  return form === 'ask' && id === interaction && (level === 'normal' || level === 'verbose');
}

function keep(printed: string[], text: string): void {
  printed.push(...text.split('\n'));
  printed.splice(0, printed.length - maxPrinted);
}

function suspendedLines({number}: Root, {summary, error}: RunResult, {style}: Ui): string[] {
  const why = error ? ` (${summary})` : '';
  return [style.yellow(`${number} is suspended${why}: /resume ${number} goes on`)];
}

/** An answer as it is written, a row at a time. */
interface AnswerRows extends Pick<ProseStream, 'told'> {
  readonly add: (text: string) => string[];
  readonly end: () => string[];
  /** Whether nothing was told since. */
  readonly isLast: () => boolean;
  readonly leave: () => void;
}

function createAnswerRows(width: () => number): AnswerRows {
  const stream = createProseStream(width);
  let row = '';
  let isLast = false;
  const rows = (text: string): string[] => {
    const all = (row + text).split('\n');
    row = all.pop() ?? '';
    return all;
  };
  return {
    add: (text) => {
      isLast = true;
      return rows(stream.add(text));
    },
    end: () => rows(stream.end()),
    told: stream.told,
    isLast: () => isLast,
    leave: () => {
      isLast = false;
    },
  };
}
