/** The messages a person has sent, kept for later conversations: one JSON string a line, readable only by this person. */

import {appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

export interface HistoryFile {
  /** The newest first. */
  readonly messages: readonly string[];
  /** Never throws: a full disk costs the history, not the conversation. Returns the problem, the first time there is one. */
  readonly add: (message: string) => string | undefined;
}

const maxMessages = 1000;

/** `redact` removes known secrets from each message. Never throws. */
export function openHistory(path: string, redact: (text: string) => string): HistoryFile {
  const all = readMessages(path);
  const kept = all.slice(-maxMessages);
  if (all.length > maxMessages * 2) tidy(path, kept);
  let last = kept.at(-1);
  let wasReported = false;
  return {
    messages: kept.toReversed(),
    add: (message) => {
      const safe = redact(message);
      if (safe === last) return undefined;
      last = safe;
      const problem = problemOf(() => {
        mkdirSync(dirname(path), {recursive: true, mode: 0o700});
        appendFileSync(path, lineOf(safe), {mode: 0o600});
      });
      if (problem === undefined || wasReported) return undefined;
      wasReported = true;
      return problem;
    },
  };
}

function readMessages(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').flatMap(messageIn);
  } catch {
    return [];
  }
}

/** A truncated line is left out. */
function messageIn(line: string): string[] {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'string' ? [message] : [];
  } catch {
    return [];
  }
}

function tidy(path: string, messages: readonly string[]): void {
  const next = `${path}.${process.pid}`;
  problemOf(() => {
    writeFileSync(next, messages.map(lineOf).join(''), {mode: 0o600});
    renameSync(next, path);
  });
}

function lineOf(message: string): string {
  return `${JSON.stringify(message)}\n`;
}

function problemOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
