/** A problem of a form, with its path. */

export type FormPath = readonly (string | number)[];

export interface FormProblem {
  /** `['fields', 2, 'pattern']`, with the keys of files. */
  readonly path: FormPath;
  readonly text: string;
}

/** `fields[2].pattern: is not …`. */
export function problemText({path, text}: FormProblem): string {
  return path.length === 0 ? text : `${pathText(path)}: ${text}`;
}

function pathText(path: FormPath): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index > 0 ? `.${part}` : part))
    .join('');
}
