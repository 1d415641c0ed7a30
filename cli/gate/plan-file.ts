/** Reads a plan that a person has edited, as strictly as a model's. */

import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';

import {inferredGround, readPlan, type Plan, type PlanReading} from '../../machines/domain/plan.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {Reading} from '../../machines/questions/reading.ts';
import {openable} from '../../tools/containment/own-state.ts';

const maxPlanBytes = 1_048_576;

/** The data that an edited plan must agree with. */
export interface EditGround {
  readonly tools: readonly ToolInfo[];
  /** The plan that it replaces. */
  readonly plan: Plan | undefined;
}

/** Never throws: an unreadable file is a problem like any other. The problem never quotes its content. */
export function readPlanFile(path: string, {tools, plan}: EditGround): PlanReading {
  const read = readPlanData(path);
  return read.ok ? readPlan(read.value, tools, plan && inferredGround(plan)) : read;
}

/** The same without validation. For a run's result, takes its plan. */
export function readPlanData(path: string): Reading<unknown> {
  const read = readJsonFile(path);
  return read.ok && isPlanOfResult(read.value) ? {ok: true, value: read.value.plan} : read;
}

function readJsonFile(path: string): Reading<unknown> {
  try {
    return {ok: true, value: JSON.parse(readSmallFile(path))};
  } catch (error) {
    return {ok: false, problems: [problemOf(error)]};
  }
}

function isPlanOfResult(value: unknown): value is {readonly plan: unknown} {
  if (typeof value !== 'object' || value === null) return false;
  return 'type' in value && value.type === 'result' && 'plan' in value;
}

function readSmallFile(path: string): string {
  const file = openSync(openable(path), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.size > maxPlanBytes) throw new Error(`it is larger than ${maxPlanBytes} bytes`);
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } finally {
    closeSync(file);
  }
}

function problemOf(error: unknown): string {
  if (error instanceof SyntaxError) {
    const where = /at position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0];
    return `it is not JSON${where ? `: something is wrong ${where}` : ''}`;
  }
  if (isMissing(error)) return 'there is no such file';
  const message = error instanceof Error ? error.message : String(error);
  return `it can't be read: ${message}`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
