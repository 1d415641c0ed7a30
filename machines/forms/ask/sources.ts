/** The sources of an answer. */

import type {LoopStep, Source, ToolInfo} from '../../domain/tool.ts';

const maxSources = 10;

/**
 * The sources that the answer names, by their place, by a line within them or by their file, and sources without a place in
 * a file: pages, and the queries quoted in the answer, or all queries if it quotes none; in the order of the answer. If there
 * are none of these, the first source of each step, except steps of tools that only list matches. Each source once.
 */
export function sourcesOf(
  answer: string,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): Source[] {
  const all = withoutProbes(answer, distinct(steps.flatMap(({sources}) => sources ?? [])));
  const named = inAnswerOrder(answer, all);
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

/** The named sources, in the order in which the answer names them. */
function inAnswerOrder(answer: string, all: readonly Source[]): Source[] {
  const places = new Set(all.map(({place}) => place));
  return all
    .flatMap((source) => {
      const at = positionIn(answer, source, places);
      return at === undefined ? [] : [{source, at}];
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({source}) => source);
}

/**
 * The offset at which the answer names the source first, or undefined. A line that is a source itself names no other source.
 * A source without a place in a file counts as named at the end.
 */
function positionIn(
  answer: string,
  {place, quote = place}: Source,
  places: ReadonlySet<string>,
): number | undefined {
  const [, path, from, to = from] = inFile.exec(place) ?? [];
  if (path === undefined) {
    const at = answer.indexOf(quote);
    return at < 0 ? answer.length : at;
  }
  const mentions = mentionsOf(answer, path);
  const exact = mentions.filter(({lines}) => lines !== undefined);
  if (exact.length === 0) return mentions[0]?.at;
  const names = ({text, lines}: Mention): boolean =>
    places.has(text)
      ? text === place
      : lines !== undefined && lines.from <= Number(to) && Number(from) <= lines.to;
  return exact.find(names)?.at;
}

/** `text`: the path, with the lines if they are given. */
interface Mention {
  readonly at: number;
  readonly text: string;
  readonly lines?: {readonly from: number; readonly to: number};
}

function mentionsOf(text: string, path: string): Mention[] {
  const mentions: Mention[] = [];
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + path.length, at + path.length + 30);
    if (/[\w./-]/.test(before) || /^(?:[\w-]|[./]\w)/.test(after)) continue;
    const [suffix = '', from, to = from] = /^:(\d+)(?:-(\d+))?/.exec(after) ?? [];
    const lines = from === undefined ? {} : {lines: {from: Number(from), to: Number(to)}};
    mentions.push({at, text: path + suffix, ...lines});
  }
  return mentions;
}

function distinct(sources: readonly Source[]): Source[] {
  return [...new Map(sources.map((each) => [JSON.stringify(each), each])).values()];
}
