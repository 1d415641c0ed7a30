/** The interface of a use of the terminal: which questions it asks, how it shows them, and how it reads lines. */

import type {AskedQuestion} from '../../machines/terminal/asked.ts';
import type {Completion} from './line-editor.ts';

/** The person leaves or interrupts. Undefined: the question is still open, or was answered. */
export type LineOutcome = 'left' | 'interrupted' | undefined;

export interface EnteredLine<Question> {
  /** The question that had the terminal. */
  readonly question: Question | undefined;
  /** Aborted when the question is settled elsewhere. */
  readonly signal: AbortSignal;
  /** By `performance.now()`: when its first character was typed. */
  readonly begunAt: number;
}

/** Questions that are asked one after another. */
export interface OneByOne<Question extends AskedQuestion> {
  /** The open questions. A question keeps its key while it is open. */
  readonly questions: () => readonly Question[];
  /** Shows a question whose turn it is. */
  readonly put: (question: Question) => void;
  /** `onTaken`: a question has taken the terminal; `onFreed`: that question is settled. */
  readonly onTaken?: () => void;
  readonly onFreed?: () => void;
}

export interface Dialogue<Question extends AskedQuestion> {
  /** `refresh`, of a conversation: synchronizes the chart with the open questions, and shows new ones. */
  readonly asks: OneByOne<Question> | {readonly refresh: () => void};
  /** The text before the typed line. */
  readonly prompt: (question: Question | undefined) => string;
  /** Never rejects. */
  readonly receive: (text: string, line: EnteredLine<Question>) => Promise<LineOutcome>;
  /** Completion of the line by Tab. */
  readonly complete: (line: string, question: Question | undefined) => Completion;
  /** Called at the first Ctrl-C. */
  readonly onWarned?: () => void;
  /** Called once, when the person leaves or interrupts. */
  readonly onLeft: (why: 'waiting' | 'interrupted') => void;
}
