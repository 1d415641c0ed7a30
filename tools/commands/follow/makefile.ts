/**
 * A Makefile in its plain form: explicit rules, their recipes, variables with a value. If it includes other files, has conditions or
 * definitions, exports variables or runs something while it is read, nothing about it is known.
 */

import {isGuarded} from '../walk/variables.ts';
import {expandMake, type Expansion, type Variables} from './make-variables.ts';

export interface MakeRule {
  /** Undefined: unknown. */
  readonly prerequisites: readonly string[] | undefined;
  /** As written, each line for a shell of its own; undefined: it has none. */
  readonly recipe: readonly string[] | undefined;
}

export interface Makefile {
  readonly rules: ReadonlyMap<string, MakeRule>;
  /** The target that is made when none is named. */
  readonly goal: string | undefined;
  readonly variables: Variables;
  /** Targets that are not files. */
  readonly phony: ReadonlySet<string>;
  /** It has rules for name patterns: `%.o`. */
  readonly hasPatterns: boolean;
  /** A half-made target is deleted. */
  readonly deletesOnError: boolean;
}

export interface Given {
  /** The file's own name, as given to `make`: a rule for it runs first. */
  readonly name: string;
  /** Variables of the command line: nothing in the file changes them. */
  readonly overrides: ReadonlyMap<string, string>;
  /** Names of variables that may be set in the environment. */
  readonly environment: ReadonlySet<string>;
}

/** Undefined: something in it is not plain. */
export function readMakefile(text: string, given: Given): Makefile | undefined {
  const draft: Draft = {
    rules: new Map(),
    variables: new Map(given.overrides),
    phony: new Set(),
    goal: undefined,
    open: undefined,
    hasPatterns: false,
    deletesOnError: false,
  };
  const lines = linesOf(text);
  const isPlain = lines?.every((line) => readLine(line, draft, given)) ?? false;
  const isRemade = draft.rules.has(given.name) || (draft.hasPatterns && given.name.includes('.'));
  return isPlain && !isRemade ? draft : undefined;
}

interface DraftRule {
  prerequisites: readonly string[] | undefined;
  recipe: string[] | undefined;
}

interface Draft {
  readonly rules: Map<string, DraftRule>;
  readonly variables: Map<string, string | undefined>;
  readonly phony: Set<string>;
  goal: string | undefined;
  /** The recipes to which a line that begins with a tab belongs; undefined: none. */
  open: readonly DraftRule[] | undefined;
  hasPatterns: boolean;
  deletesOnError: boolean;
}

/** The lines with their continuations: kept in a recipe, joined by a blank elsewhere. */
function linesOf(text: string): readonly string[] | undefined {
  // eslint-disable-next-line no-control-regex -- characters that no Makefile contains
  if (/[\0-\u0008\u000B-\u001F\u007F\uE000\uFEFF]|\\\\(?:\n|$)/.test(text)) return undefined;
  const lines = text.replaceAll(/\\\n\t?/g, '\uE000').split('\n');
  if (lines.some((line) => /^[^\t].*;.*\uE000/.test(line))) return undefined;
  return lines.map((line) =>
    line.startsWith('\t')
      ? line.replaceAll('\uE000', '\\\n')
      : line.replaceAll(/[ \t]*\uE000[ \t]*/g, ' '),
  );
}

/** False: the line is not plain. */
function readLine(line: string, draft: Draft, given: Given): boolean {
  if (line.startsWith('\t')) return readRecipe(line.slice(1), draft);
  const bare = line.replace(/#.*$/, '').replace(/^[ \t]+/, '');
  if (bare === '') return true;
  if (/[^\t -~]/.test(bare)) return false;
  if (line.includes('\\#') || directive.test(bare)) return false;
  const assigned = assignment.exec(bare);
  if (!assigned) return !/;.*#/.test(line) && readRule(bare, draft);
  draft.open = undefined;
  return assigned[1] === '.DEFAULT_GOAL'
    ? setGoal(assigned, draft)
    : readAssignment(assigned, draft, given);
}

function readRecipe(line: string, {open}: Draft): boolean {
  if (line.trim() === '') return true;
  if (!open) return line.trim().startsWith('#');
  for (const rule of open) (rule.recipe ??= []).push(line);
  return true;
}

const directive =
  /^-?(?:export|unexport|override|private|define|endef|undefine|s?include|load|vpath|ifn?eq|ifn?def|else|endif)(?![\w-])/;

const assignment = /^([A-Za-z_][\w.-]*|\.DEFAULT_GOAL)\s*(=|::?=|\?=|\+=)\s*([^]*)$/;

/** They name programs that rules run, and no program except `make` obeys them. */
const compilers = /^(?:CC|CXX|CPP|AR|LD|AS|(?:C|CXX|CPP|LD)FLAGS)$/;

/** A program or `make` obeys it. */
function isOdd(name: string): boolean {
  return /^[VG]PATH$/.test(name) || (isGuarded(name) && !compilers.test(name));
}

function readAssignment(
  [, name = '', operator = '', raw = '']: RegExpExecArray,
  draft: Draft,
  given: Given,
): boolean {
  const {variables} = draft;
  if (isOdd(name)) return false;
  const {text, runs} = valueOf(operator, raw, variables.get(name), draft);
  if (runs) return false;
  const isKept = given.overrides.has(name) || (operator === '?=' && variables.has(name));
  if (!isKept) variables.set(name, maySet(name, operator, given) ? undefined : text);
  return true;
}

/** `?=` does not override the environment or a built-in variable; so the variable's value in a recipe may be another. */
function maySet(name: string, operator: string, {environment}: Given): boolean {
  return environment.has(name) || (operator === '?=' && compilers.test(name));
}

/** `:=` is expanded at once. Whether `+=` is depends on how the variable was set first. */
function valueOf(
  operator: string,
  raw: string,
  before: string | undefined,
  {variables}: Draft,
): Expansion {
  if (operator === '=' || operator === '?=') return {text: raw, runs: false};
  const {text, runs} = expandMake(raw, variables);
  if (operator !== '+=') return {text: text?.replaceAll('$', '$$$$'), runs};
  const isKnown = before !== undefined && !raw.includes('$');
  return {text: isKnown ? `${before} ${raw}` : undefined, runs};
}

function setGoal([, , operator, raw = '']: RegExpExecArray, draft: Draft): boolean {
  draft.goal = raw.trim();
  return operator !== '+=' && plainName.test(draft.goal);
}

const plainName = /^[\w./@+,-]+$/;
const patternName = /^[\w./-]*%[\w-]*\.\w+$/;
/** Suffix rules, an old form: `.c.o`. */
const suffixName = /^(?:\.[A-Za-z]{1,6}){1,2}$/;

/** `targets: prerequisites ; recipe` */
function readRule(line: string, draft: Draft): boolean {
  const [, left = '', right = '', inline] =
    /^([^:;]+):(?!:)([^;:=]*)(?:;([^]*))?$/.exec(line) ?? [];
  const targets = expandMake(left, draft.variables);
  const prerequisites = expandMake(right.replace('|', ' '), draft.variables);
  if (targets.runs || prerequisites.runs) return false;
  const isRule = addRule(namesIn(targets), namesIn(prerequisites), draft);
  return isRule && (inline === undefined || readRecipe(inline.trimStart(), draft));
}

/** Undefined: unknown. */
function namesIn({text}: Expansion): readonly string[] | undefined {
  const names = text?.split(/\s+/).filter((name) => name !== '');
  return names?.map(withoutDot);
}

/** `./a` is `a` to `make`. */
export function withoutDot(name: string): string {
  return name.replace(/^(?:\.\/+)+(?=.)/, '');
}

function addRule(
  targets: readonly string[] = [],
  prerequisites: readonly string[] | undefined,
  draft: Draft,
): boolean {
  const [first = ''] = targets;
  if (/^\.[A-Z_]+$/.test(first)) return readSpecial(targets, prerequisites, draft);
  if (first === '') return false;
  const isPattern = targets.every((name) => patternName.test(name));
  if (isPattern) openPattern(draft);
  else openRules(targets, prerequisites, draft);
  return isPattern || targets.every((name) => plainName.test(name) && !suffixName.test(name));
}

function openPattern(draft: Draft): void {
  draft.hasPatterns = true;
  draft.open = [{prerequisites: [], recipe: undefined}];
}

function openRules(
  targets: readonly string[],
  prerequisites: readonly string[] | undefined,
  draft: Draft,
): void {
  const isPlain = prerequisites?.every((name) => plainName.test(name)) ?? false;
  draft.goal ??= targets.find((name) => !name.startsWith('.') || name.includes('/'));
  const open = targets.map((name) => {
    const rule = draft.rules.get(name) ?? {prerequisites: [], recipe: undefined};
    const all = [...(rule.prerequisites ?? []), ...(prerequisites ?? [])];
    rule.prerequisites = isPlain && rule.prerequisites ? all : undefined;
    draft.rules.set(name, rule);
    return rule;
  });
  // A second recipe would take the place of the first.
  draft.open = open.some(({recipe}) => recipe !== undefined) ? undefined : open;
}

/** Apart from `.PHONY`, they say how `make` works. */
const harmlessSpecial = /^\.(?:SILENT|IGNORE|NOTPARALLEL|PRECIOUS|SECONDARY)$/;

function readSpecial(
  [name = '', more]: readonly string[],
  prerequisites: readonly string[] | undefined,
  draft: Draft,
): boolean {
  draft.open = undefined;
  if (more !== undefined) return false;
  if (name === '.DELETE_ON_ERROR') draft.deletesOnError = true;
  else if (name === '.PHONY') for (const each of prerequisites ?? []) draft.phony.add(each);
  else if (name === '.SUFFIXES') return prerequisites?.length === 0;
  else return harmlessSpecial.test(name);
  return name !== '.PHONY' || prerequisites !== undefined;
}
