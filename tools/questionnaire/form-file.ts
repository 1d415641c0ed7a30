/** Form files: one that a person names, anywhere, and one that a run names in its workspace. */

import {realpath, stat} from 'node:fs/promises';
import {basename, dirname} from 'node:path';

import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {type Attempt, errorCode} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import {type FileFound, readInside, decodedText} from '../read/read.ts';

/** Larger than any form. */
const maxBytes = 1024 * 1024;

export type FormFile =
  | {
      readonly kind: 'read';
      readonly questionnaire: Questionnaire;
      readonly warnings: readonly string[];
    }
  /** The file does not exist, or can't be read as a form; each problem with its position. */
  | {readonly kind: 'absent' | 'invalid'; readonly problems: readonly string[]};

/** A form at any path, links followed; messages name it by `path` as given. Never rejects because of the file. */
export async function readFormFile(path: string): Promise<FormFile> {
  const shown = escapeLine(path);
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return invalid(`${shown} is a folder, not a form`);
    return await readForm(path, readInside(dirname(real), basename(real), {maxBytes}));
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    if (isAbsent) return {kind: 'absent', problems: [`there is no file ${shown}`]};
    return invalid(`${shown} can't be readForm (${code})`);
  }
}

/** A form inside a workspace; links are followed if they stay inside. */
export async function readWorkspaceForm(workspace: string, path: string): Promise<FormFile> {
  return await readForm(path, readInside(workspace, path, {maxBytes}));
}

async function readForm(name: string, file: Attempt<FileFound>): Promise<FormFile> {
  const text = file.ok ? decodedText(file.value) : file;
  if (!text.ok) {
    const {code, message} = text.denial;
    return {kind: code === 'not_found' ? 'absent' : 'invalid', problems: [message]};
  }
  // Only few runs need TOML and patterns.
  const {readFormText} = await import('./form-text.ts');
  const form = readFormText(name, text.value);
  if (!form.ok) return {kind: 'invalid', problems: form.problems};
  return {kind: 'read', questionnaire: form.questionnaire, warnings: form.warnings};
}

function invalid(problem: string): FormFile {
  return {kind: 'invalid', problems: [problem]};
}
