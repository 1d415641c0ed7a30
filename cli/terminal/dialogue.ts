/** A use of the terminal: what is asked in it, how it is shown, and how lines are understood. */

import type {AskedQuestion} from '../../machines/terminal/asked.ts';
import type {Completion} from './line-editor.ts';

/** The person leaves or interrupts; else the question stands, or was answered. */
export type LineOutcome = 'left' | 'interrupted' | undefined;

export interface EnteredLine<Question> {
  /** The question that had the terminal. */
  readonly question: Question | undefined;
  /** Aborted when the question is settled elsewhere. */
  readonly signal: AbortSignal;
  /** By `performance.now()`: when its first character was typed. */
  readonly begunAt: number;
}

/** Questions that are served one after another. */
export interface OneByOne<Question extends AskedQuestion> {
  /** What is open now. A question has the same key while it stands. */
  readonly questions: () => readonly Question[];
  /** Shows a question whose turn it is. */
  readonly put: (question: Question) => void;
  /** A question takes the terminal; it is settled. */
  readonly onTaken?: () => void;
  readonly onFreed?: () => void;
}

export interface Dialogue<Question extends AskedQuestion> {
  /** `refresh`, of a conversation: brings the chart in step with what is open, and shows what is new. */
  readonly asks: OneByOne<Question> | {readonly refresh: () => void};
  /** What stands before the line. */
  readonly prompt: (question: Question | undefined) => string;
  /** Never rejects. */
  readonly receive: (text: string, line: EnteredLine<Question>) => Promise<LineOutcome>;
  /** What Tab makes of the line. */
  readonly complete: (line: string, question: Question | undefined) => Completion;
  /** Ctrl-C has come once. */
  readonly onWarned?: () => void;
  /** Called once, when the person leaves or interrupts. */
  readonly onLeft: (why: 'waiting' | 'interrupted') => void;
}
