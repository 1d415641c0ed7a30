/** The list of tools whose definitions are deferred, bounded by tokens: with summaries, with names only, or with some of the names. */

import {estimateTokens, lineOf} from '../../machines/domain/text-limits.ts';
import {escapeLine} from '../escape.ts';
import type {Offered} from '../toolbox.ts';
import {summaryOf} from './definition.ts';

/** In bytes. */
const maxSummary = 100;
const maxGroupName = 80;
/** The tools of further groups are listed as one group. */
const maxGroups = 12;

/**
 * Small groups come first; room that a group does not need is left to the larger ones. If not all names of a group fit, the first
 * ones of the given order are listed. They are sorted by name.
 */
export function deferredList(tools: readonly Offered[], maxTokens: number): string {
  const groups = [...Map.groupBy(tools, ({group = ''}) => group)].toSorted(
    ([name, members], [otherName, others]) =>
      members.length - others.length || (name < otherName ? -1 : 1),
  );
  const listed = groups.length > maxGroups ? merged(groups) : groups;
  let room = maxTokens;
  return listed
    .map(([name, members], index) => {
      const text = groupText(name, members, room / (listed.length - index));
      room -= estimateTokens(`${text}\n`);
      return text;
    })
    .join('\n');
}

type Group = [name: string, members: readonly Offered[]];

function merged(groups: readonly Group[]): Group[] {
  const others = groups.slice(maxGroups - 1);
  const name = `of ${others.length} other sources`;
  return [...groups.slice(0, maxGroups - 1), [name, others.flatMap(([, members]) => members)]];
}

function groupText(name: string, members: readonly Offered[], maxTokens: number): string {
  const head = `Tools ${lineOf(escapeLine(name), maxGroupName)} (${members.length}):`;
  const lines = members
    .toSorted(byName)
    .map((tool) => `- ${tool.name}: ${summaryOf(tool, maxSummary)}`);
  const text = [head, ...lines].join('\n');
  if (estimateTokens(text) <= maxTokens) return text;
  return `${head} ${namesText(members, maxTokens - estimateTokens(head))}`;
}

function namesText(members: readonly Offered[], maxTokens: number): string {
  let tokens = estimateTokens('and 1000 more');
  const end = members.findIndex(({name}, index) => {
    tokens += estimateTokens(`${name}, `);
    return index > 0 && tokens > maxTokens;
  });
  const shown = (end === -1 ? members : members.slice(0, end)).toSorted(byName);
  const rest = members.length - shown.length;
  return `${shown.map(({name}) => name).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function byName(one: Offered, other: Offered): number {
  return one.name < other.name ? -1 : 1;
}

/** An order whose beginning, of any length, is spread evenly over the given tools: it shows what kinds there are. */
export function spreadEvenly(tools: readonly Offered[]): readonly Offered[] {
  const goldenRatio = 0.618_033_988_749_895;
  return tools
    .map((tool, index) => ({tool, place: (index * goldenRatio) % 1}))
    .toSorted((one, other) => one.place - other.place)
    .map(({tool}) => tool);
}
