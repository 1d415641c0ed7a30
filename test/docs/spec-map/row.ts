/** The rows of the spec map: one for each statement of a specification. */

/** A path, then an export, type, state, event, tool or setting that the file names. */
type Code = `${string}#${string}`;

/** A path below `test/`, then the beginning of the name of a test in the file. */
type Test = `${string}.test.ts#${string}`;

export interface MetStatement {
  /** The statement, in short. */
  readonly says: string;
  readonly code: Code;
  readonly test: Test;
  /** How the program differs from the statement. */
  readonly instead?: string;
}

export interface UnmetStatement {
  readonly says: string;
  /** Why the program does not do it. */
  readonly no: string;
}

export type SpecRow = MetStatement | UnmetStatement;

export interface SpecSection {
  readonly title: string;
  /** By id: the numbers of document, section and statement. */
  readonly rows: Readonly<Record<string, SpecRow>>;
}

export interface SpecDocument {
  readonly subject: string;
  readonly sections: readonly SpecSection[];
}

/** The two parts of a `Code` or a `Test`. */
export function partsOf(reference: Code | Test): readonly [path: string, name: string] {
  const at = reference.indexOf('#');
  return [reference.slice(0, at), reference.slice(at + 1)];
}
