/** Job control: a program that the shell runs in the background is stopped by the system for reading the keyboard. */

import {readFileSync} from 'node:fs';

import {openable} from '../../tools/containment/own-state.ts';
import type {Input} from '../terminal.ts';

const lookMs = 500;

/** Calls back once the program may read this input: at once, unless it is in the background. Returns a function that stops waiting. */
export function whenForeground(input: Input, open: () => void): () => void {
  if (isForeground(input)) {
    open();
    return () => {};
  }
  const timer = setInterval(() => {
    if (!isForeground(input)) return;
    clearInterval(timer);
    open();
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/** Known on Linux only: process group and foreground group are fields 5 and 8 of `proc_pid_stat(5)`. */
function isForeground(input: Input): boolean {
  if (input !== process.stdin) return true;
  try {
    const stat = readFileSync(openable('/proc/self/stat'), 'utf8');
    const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return terminal === '0' || foreground === '-1' || group === foreground;
  } catch {
    return true;
  }
}
