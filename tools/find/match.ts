/** Ranks tools by the words that they share with a query: in their names, their descriptions, and the names of their arguments. */

import {isJsonObject} from '../../machines/domain/json.ts';
import {charactersOf, parseQuery} from '../search/query.ts';
import {type Fields, scoresOf} from '../search/score.ts';
import {textWords} from '../text/words.ts';
import type {Offered} from '../toolbox.ts';

const known = new WeakMap<Offered, Fields>();

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
  const before = known.get(tool);
  if (before) return before;
  const {name, description, schema} = tool;
  const {properties} = schema;
  const fields: Fields = {
    heading: textWords(name),
    body: textWords(description),
    path: textWords(isJsonObject(properties) ? Object.keys(properties).join(' ') : ''),
    characters: charactersOf(description),
  };
  known.set(tool, fields);
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
