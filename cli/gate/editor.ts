/** Opens a plan or a text in the person's editor, in a private file, and reads the result. */

import {accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';

import {planHash, type Plan} from '../../machines/domain/plan.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import {t} from '../../machines/message.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {temporaryFolder} from '../../tools/temporary-folder.ts';
import {say, type Reader} from '../language.ts';
import type {Environment} from '../terminal.ts';
import {readPlanFile} from './plan-file.ts';

type EditOutcome =
  | {readonly kind: 'edited'; readonly plan: Plan}
  | {readonly kind: 'unchanged'}
  | {readonly kind: 'invalid'; readonly problems: readonly string[]}
  /** The editor could not be run. */
  | {readonly kind: 'failed'; readonly message: string};

export interface PlanEditor {
  /** Opens the file with its last content. Never rejects. */
  readonly edit: () => Promise<EditOutcome>;
  /** Removes the file. */
  readonly close: () => void;
}

const defaultEditors = ['vi', 'nano'];

export function createPlanEditor(
  plan: Plan,
  tools: readonly ToolInfo[],
  {
    env,
    signal,
    style,
  }: {readonly env: Environment; readonly signal: AbortSignal; readonly style: Reader},
): PlanEditor {
  const folder = mkdtempSync(join(temporaryFolder(), 'quorate-plan-'));
  const file = join(folder, 'plan.json');
  writeFileSync(file, `${JSON.stringify(plan, undefined, 2)}\n`, {mode: 0o600});
  return {
    edit: async () => {
      const problem = await runEditor(file, {env, style, signal});
      if (problem !== undefined) return {kind: 'failed', message: problem};
      const reading = readPlanFile(file, {tools, plan});
      if (!reading.ok) return {kind: 'invalid', problems: reading.problems};
      if (planHash(reading.plan) === planHash(plan)) return {kind: 'unchanged'};
      return {kind: 'edited', plan: reading.plan};
    },
    close: () => rmSync(folder, {recursive: true, force: true}),
  };
}

type Edited =
  | {readonly ok: true; readonly text: string}
  | {readonly ok: false; readonly problem: string};

/** Opens the text, without the line ends that an editor adds. Never rejects. */
export async function editText(text: string, ground: EditorGround): Promise<Edited> {
  const folder = mkdtempSync(join(temporaryFolder(), 'quorate-line-'));
  const file = join(folder, 'line.md');
  try {
    writeFileSync(file, text, {mode: 0o600});
    const problem = await runEditor(file, ground);
    if (problem !== undefined) return {ok: false, problem};
    return {ok: true, text: readFileSync(openable(file), 'utf8').trimEnd()};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

interface EditorGround {
  readonly env: Environment;
  readonly style: Reader;
  readonly signal?: AbortSignal;
}

/** `$VISUAL`, else `$EDITOR`, split like a command line with quotes but without a shell; else a known editor on PATH. */
function editorCommand(env: Environment): string[] {
  const wanted = [env['VISUAL'], env['EDITOR']].find((value) => value?.trim());
  if (wanted !== undefined) return splitArguments(wanted);
  const found = defaultEditors.find((name) => isOnPath(name, env['PATH'] ?? ''));
  return found === undefined ? [] : [found];
}

function splitArguments(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

/** Resolves with the problem, or undefined. */
async function runEditor(
  file: string,
  {env, style: reader, signal}: EditorGround,
): Promise<string | undefined> {
  const [program, ...args] = editorCommand(env);
  if (program === undefined) return say(t`no editor found: set VISUAL or EDITOR to one`, reader);
  const {execa} = await import('execa');
  const cancelling = signal ? {cancelSignal: signal} : {};
  const options = {stdio: 'inherit', ...cancelling, reject: false} as const;
  const ended = await execa(program, [...args, file], options);
  if (ended.exitCode === 0) return undefined;
  const how =
    ended.signal ??
    (ended.exitCode === undefined ? undefined : say(t`exit code ${ended.exitCode}`, reader));
  return how === undefined
    ? say(t`${program} could not be started: ${ended.originalMessage ?? ''}`, reader)
    : say(t`${program} ended with ${how}: nothing was changed`, reader);
}
