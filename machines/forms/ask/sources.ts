/** The sources of an answer. */

import type {LoopStep, Source, ToolInfo} from '../../domain/tool.ts';

const maxSources = 10;

/**
 * The sources that the answer names, by a line within them or by their file, and sources without a place in a file: pages,
 * and the queries quoted in the answer, or all queries if it quotes none. If there are none of these, the first source of
 * each step, except steps of tools that only list matches. Each source once, in the order of the steps.
 */
export function sourcesOf(
  answer: string,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): Source[] {
  const all = withoutProbes(answer, distinct(steps.flatMap(({sources}) => sources ?? [])));
  const named = all.filter(({place}) => isNamed(answer, place));
  if (named.length > 0) return named.slice(0, maxSources);
  const merelyMatches = (tool: string) =>
    tools.some(({name, cites}) => name === tool && cites === false);
  const consulted = steps.flatMap(({tool, sources}) =>
    merelyMatches(tool) ? [] : (sources ?? []).slice(0, 1),
  );
  return distinct(consulted).slice(0, maxSources);
}

const inFile = /^(.+):(\d+)(?:-(\d+))?$/;

/** All sources, but without the other queries if the answer quotes a query. */
function withoutProbes(answer: string, all: readonly Source[]): readonly Source[] {
  const queries = all.filter(isQuery);
  const shown = queries.filter(({quote = ''}) => answer.includes(quote));
  return shown.length === 0 ? all : all.filter((one) => !isQuery(one) || shown.includes(one));
}

function isQuery({place, quote}: Source): boolean {
  return quote !== undefined && !inFile.test(place);
}

interface Lines {
  readonly from: number;
  readonly to: number;
}

function isNamed(answer: string, place: string): boolean {
  const [, path, from, to] = inFile.exec(place) ?? [];
  if (path === undefined) return true;
  const lines = {from: Number(from), to: Number(to ?? from)};
  const mentions = mentionsOf(answer, path);
  const exact = mentions.filter((mention) => mention !== undefined);
  if (exact.length === 0) return mentions.length > 0;
  return exact.some((mention) => mention.from <= lines.to && lines.from <= mention.to);
}

/** Each mention of the file in a text: its lines, or undefined for the whole file. */
function mentionsOf(text: string, path: string): (Lines | undefined)[] {
  const mentions: (Lines | undefined)[] = [];
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + path.length, at + path.length + 30);
    if (/[\w./-]/.test(before) || /^(?:[\w-]|[./]\w)/.test(after)) continue;
    const [, from, to] = /^:(\d+)(?:-(\d+))?/.exec(after) ?? [];
    mentions.push(from === undefined ? undefined : {from: Number(from), to: Number(to ?? from)});
  }
  return mentions;
}

function distinct(sources: readonly Source[]): Source[] {
  return [...new Map(sources.map((each) => [JSON.stringify(each), each])).values()];
}
