/** Carries out find_tools. */

import {isJsonObject} from '../../machines/domain/json.ts';
import {nearestOf} from '../../machines/domain/nearest.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {charactersOf, parseQuery, type Fields, scoresOf} from '../search/query.ts';
import {textWords} from '../text/words.ts';
import type {Offered} from '../toolbox.ts';
import {
  firstWithin,
  selectTools,
  signatureOf,
  summaryOf,
  sumOfTokens,
  type FindOptions,
} from './find-tools.ts';

const maxMatches = 5;
const maxNear = 5;
/** In bytes. */
const maxSummary = 200;
const maxShown = 100;

export interface FindRequest extends FindOptions {
  /** The name of the tool itself. */
  readonly own: string;
  readonly among: readonly string[];
}

interface FindArgs {
  readonly query?: string;
  readonly names?: readonly string[];
}

/** Searches the deferred tools; names also among the others. */
export async function findTools(
  {query, names = []}: FindArgs,
  request: FindRequest,
): Promise<ToolOutcome> {
  if (query === undefined && names.length === 0) {
    const message = 'give a query, such as {"query": "create issue"}, or names';
    return {kind: 'refused', code: 'bad_args', message};
  }
  const tools = await definitionsOf(request);
  const own = tools.filter(({name}) => name === request.own);
  const others = tools.filter(({name}) => name !== request.own);
  const {deferred} = selectTools(others, request.maxTokens, sumOfTokens(own));
  const named = deferred.filter(({name}) => names.includes(name));
  const matches = query === undefined ? [] : matchingTools(query, deferred);
  const best = matches.filter((tool) => !named.includes(tool)).slice(0, maxMatches);
  const found = firstWithin([...named, ...best], request.maxTokens);
  const more = new Set([...named, ...matches]).size - found.length;
  return {
    kind: 'succeeded',
    text: [
      ...foundLines(found, more),
      ...missedNames(names, deferred, others),
      ...missedQuery(query, matches, deferred),
    ].join('\n'),
    // The latest stay the longest, so the best come last.
    found: found.map(({name}) => name).toReversed(),
  };
}

async function definitionsOf({offered, among}: FindRequest): Promise<readonly Offered[]> {
  const found = await Promise.all(among.toSorted().map(async (name) => await offered(name)));
  return found.filter((tool) => tool !== undefined);
}

function foundLines(found: readonly Offered[], more: number): string[] {
  if (found.length === 0) return [];
  const head =
    found.length === 1
      ? '1 tool found. It is among your tools from your next turn on, with all its arguments:'
      : `${found.length} tools found, the best first. They are among your tools from your next turn on, with all their arguments:`;
  return [
    head,
    ...found.map((tool) => `- ${signatureOf(tool)}: ${summaryOf(tool, maxSummary)}`),
    ...(more > 0 ? [`${more} more match less well: use more exact words, or names.`] : []),
  ];
}

function missedNames(
  names: readonly string[],
  deferred: readonly Offered[],
  all: readonly Offered[],
): string[] {
  const known = all.map(({name}) => name);
  return names
    .filter((name) => !deferred.some((tool) => tool.name === name))
    .map((name) =>
      known.includes(name)
        ? `${name} is among your tools already.`
        : `There is no tool ${shown(name)}; the nearest are ${nearestOf(name, known, maxNear).join(', ')}.`,
    );
}

function missedQuery(
  query: string | undefined,
  matches: readonly Offered[],
  deferred: readonly Offered[],
): string[] {
  if (query === undefined || matches.length > 0) return [];
  if (deferred.length === 0) return ['There are no other tools: all are shown to you in full.'];
  return [
    `None of the ${deferred.length} tools that are not shown in full matches ${shown(query)}. Try other words for what the tool does or acts on, or one word only. Names that look alike: ${nearestOf(
      query,
      deferred.map(({name}) => name),
      maxNear,
    ).join(', ')}.`,
  ];
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, maxShown).toWellFormed());
}

// Ranks tools by the words that they share with a query: in their names, their descriptions, and the names of their arguments.

const knownFields = new WeakMap<Offered, Fields>();

/** The matching tools, the best first; equal ones in the given order. */
export function matchingTools(query: string, tools: readonly Offered[]): readonly Offered[] {
  const parsed = parseQuery(query);
  if (!parsed) return [];
  const fields = tools.map(fieldsOf);
  const counts = wordCounts(fields);
  const scores = scoresOf(fields, parsed, {
    chunks: tools.length,
    of: (word) => counts.get(word) ?? 0,
  });
  return tools
    .map((tool, index) => ({tool, score: scores[index] ?? 0}))
    .filter(({score}) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({tool}) => tool);
}

/** As a document: its name is the heading, its description the text, its arguments the path. */
function fieldsOf(tool: Offered): Fields {
  const before = knownFields.get(tool);
  if (before) return before;
  const {name, description, schema} = tool;
  const {properties} = schema;
  const fields: Fields = {
    heading: textWords(name),
    body: textWords(description),
    path: textWords(isJsonObject(properties) ? Object.keys(properties).join(' ') : ''),
    characters: charactersOf(description),
  };
  knownFields.set(tool, fields);
  return fields;
}

/** The number of tools that contain each word. */
function wordCounts(fields: readonly Fields[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const {heading, body, path, characters} of fields) {
    for (const word of new Set([...heading, ...body, ...path, ...characters])) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}
