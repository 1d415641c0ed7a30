/** Form files: one that a person names anywhere, and one that a run names in its workspace. */

import {realpath, stat} from 'node:fs/promises';
import {basename, dirname} from 'node:path';

import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {type Attempt, errorCode} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import {type FileFound, readInside, textOf} from '../read/read.ts';

/** No form needs that much. */
const maxBytes = 1024 * 1024;

export type FormFile =
  | {
      readonly kind: 'read';
      readonly questionnaire: Questionnaire;
      readonly warnings: readonly string[];
    }
  /** There is no such file, or none that can be read as a form; each problem with its place. */
  | {readonly kind: 'absent' | 'invalid'; readonly problems: readonly string[]};

/** A form anywhere, links followed; messages call it by `path` as it is given. Never rejects for what may be there. */
export async function readFormFile(path: string): Promise<FormFile> {
  const shown = escapeLine(path);
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return invalid(`${shown} is a folder, not a form`);
    return await read(path, readInside(dirname(real), basename(real), {maxBytes}));
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    if (isAbsent) return {kind: 'absent', problems: [`there is no file ${shown}`]};
    return invalid(`${shown} can't be read (${code})`);
  }
}

/** A form inside a workspace, links followed as far as they stay inside. */
export async function readWorkspaceForm(workspace: string, path: string): Promise<FormFile> {
  return await read(path, readInside(workspace, path, {maxBytes}));
}

async function read(name: string, file: Attempt<FileFound>): Promise<FormFile> {
  const text = file.ok ? textOf(file.value) : file;
  if (!text.ok) {
    const {code, message} = text.denial;
    return {kind: code === 'not_found' ? 'absent' : 'invalid', problems: [message]};
  }
  // TOML and patterns are wanted by few runs.
  const {readFormText} = await import('./form-text.ts');
  const form = readFormText(name, text.value);
  if (!form.ok) return {kind: 'invalid', problems: form.problems};
  return {kind: 'read', questionnaire: form.questionnaire, warnings: form.warnings};
}

function invalid(problem: string): FormFile {
  return {kind: 'invalid', problems: [problem]};
}
