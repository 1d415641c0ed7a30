/** Parses the text of a form file, TOML or JSON, to a questionnaire or to problems with their positions. */

import {parse, TomlDate, TomlError} from 'smol-toml';

import {type FormProblem, problemText} from '../../machines/questionnaire/questionnaire-checks.ts';
import {readForm} from '../../machines/questionnaire/questionnaire-reading.ts';
import type {Questionnaire, FormField} from '../../machines/questionnaire/questionnaire.ts';
import {fieldsIn, isId} from '../../machines/questionnaire/relevance.ts';
import {patternProblem} from '../guardrails.ts';
import {criterionOf} from '../interview/criteria.ts';
import {readPlacedJson} from '../places/json.ts';
import {createTomlLocator, type Locate, type Place} from '../places/toml.ts';

export type FormText =
  | {
      readonly ok: true;
      readonly questionnaire: Questionnaire;
      /** Possible oversights of its author; each with its position, like problems. */
      readonly warnings: readonly string[];
    }
  /** `forms/shirt.toml:12:1: fields[2].pattern: …`. */
  | {readonly ok: false; readonly problems: readonly string[]};

/**
 * `name`: the file's name in messages. Its ending says whether it is JSON or TOML; otherwise a text that begins with a brace is JSON. A form
 * without an id is named after the file.
 */
export function readFormText(name: string, original: string): FormText {
  const text = original.replace(/^\uFEFF/, '');
  const document = isJson(name, text) ? readJson(text) : readToml(text);
  if (!document.ok)
    return {ok: false, problems: [`${at(name, document.place)}${document.problem}`]};
  const placed = (problems: readonly FormProblem[]): readonly string[] =>
    inPlace(name, problems, document.locate);
  const reading = readForm(document.value, idOf(name), patternProblem);
  if (!reading.ok) return {ok: false, problems: placed(reading.problems)};
  const {questionnaire, asWritten} = reading;
  return {ok: true, questionnaire, warnings: placed(adviceOn(questionnaire, asWritten))};
}

/** In the order of the text. */
function inPlace(
  name: string,
  problems: readonly FormProblem[],
  locate: Locate,
): readonly string[] {
  return problems
    .map((problem) => ({problem, place: locate(problem.path)}))
    .toSorted(({place: a}, {place: b}) => a.line - b.line || a.column - b.column)
    .map(({problem, place}) => `${at(name, place)}${problemText(problem)}`);
}

function at(name: string, {line, column}: Place): string {
  return `${name}:${line}:${column}: `;
}

type Document =
  | {readonly ok: true; readonly value: unknown; readonly locate: Locate}
  | {readonly ok: false; readonly problem: string; readonly place: Place};

function isJson(name: string, text: string): boolean {
  if (/\.json$/i.test(name)) return true;
  return !/\.toml$/i.test(name) && text.trimStart().startsWith('{');
}

function readJson(text: string): Document {
  const json = readPlacedJson(text);
  return json.ok ? json : {...json, problem: `this is not valid JSON: ${json.problem}`};
}

function readToml(text: string): Document {
  try {
    const value = plain(parse(text, {maxDepth: 64}));
    return {ok: true, value, locate: createTomlLocator(text)};
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    const {line, column} = error;
    return {ok: false, problem: `this is not valid TOML: ${reason}`, place: {line, column}};
  }
}

/** Unquoted days are parsed as such. */
function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** `forms/job application.toml` is the form `job-application`. */
function idOf(name: string): string {
  const stem = name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
  const id = stem.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-');
  return isId(id) ? id : 'form';
}

// Advice for the author of a form about possible oversights.

/** `asWritten`: the ids of the fields in the order of the file. */
function adviceOn(
  questionnaire: Questionnaire,
  asWritten: readonly string[],
): readonly FormProblem[] {
  const {fields} = questionnaire;
  const onFields = fields.flatMap((field) =>
    adviceOnField(field, fields).map(({path, text}) => ({
      path: ['fields', asWritten.indexOf(field.id), ...path],
      text,
    })),
  );
  const isAllOptional = fields.every(({required}) => !required);
  return [
    ...(isAllOptional
      ? [{path: ['fields'], text: 'no field is required = true: an empty form can be submitted'}]
      : []),
    ...onFields,
    ...adviceOnFacts(questionnaire),
  ];
}

function adviceOnField(field: FormField, fields: readonly FormField[]): readonly FormProblem[] {
  const {id, label, intent, why, relevantIf} = field;
  const before = fields.slice(0, fields.indexOf(field));
  const isPurposeless = intent === undefined && why === undefined;
  const later = (relevantIf === undefined ? [] : fieldsIn(relevantIf)).filter(
    (needed) => !before.some((earlier) => earlier.id === needed),
  );
  return [
    ...(isPurposeless
      ? [{path: [], text: `"${id}" has no intent: the reason for asking it can't be explained`}]
      : []),
    ...(before.some((earlier) => earlier.label === label)
      ? [
          {
            path: ['label'],
            text: `"${label}" names another field, too: a correction can't distinguish them`,
          },
        ]
      : []),
    ...later.map((needed) => ({
      path: ['relevant_if'],
      text: `"${needed}", on which "${id}" depends, is asked after it`,
    })),
  ];
}

function adviceOnFacts({fields, facts}: Questionnaire): readonly FormProblem[] {
  return facts.flatMap((fact, index) => {
    const field = fields.find(({id}) => id === fact.field);
    const {doneCriteria = ''} = fact;
    if (!field || doneCriteria === '' || criterionOf(doneCriteria)) return [];
    const path = ['facts', index, 'done_criteria'];
    const text = `only a model can judge “${doneCriteria}”: without one, any text that is not blank is accepted`;
    if (field.sensitivity === 'none') return [{path, text}];
    const sent = `“${field.id}” is ${field.sensitivity}, and its answers are sent to a model for that`;
    return [{path, text: `${text}; ${sent}`}];
  });
}
