/** Which definitions of tools a request contains in full, so that together they stay within a budget of tokens. */

import type {Offered} from '../toolbox.ts';
import {sumOfTokens, tokensOf} from './definition.ts';

/** Providers refuse a request with more than 128 tools; some are added to these. */
const mostTools = 100;

/** The list of deferred tools gets what the budget leaves, within these bounds. */
const leastListTokens = 300;
const mostListTokens = 1_000;

export interface Selection {
  /** Sent in full, in the given order. */
  readonly kept: readonly Offered[];
  /** In the given order. Empty: all are within the budget. */
  readonly deferred: readonly Offered[];
  /** For the list of the deferred ones, in tokens. */
  readonly listTokens: number;
}

/**
 * Tools that are seldom used are deferred. If the others exceed the budget, or are too many, whole groups are deferred until the rest
 * fits, the largest group first. Tools without a group are always kept. Without a budget nothing is deferred. `ownTokens`: of the tool that
 * finds the deferred ones, without its list.
 */
export function selectTools(
  tools: readonly Offered[],
  maxTokens: number | undefined,
  ownTokens: number,
): Selection {
  const all = {kept: tools, deferred: [], listTokens: 0};
  if (maxTokens === undefined) return all;
  let tokens = sumOfTokens(tools);
  let count = tools.length;
  const left = new Set<string>();
  for (const [group, members] of groupsBySize(tools)) {
    const listed = left.size === 0 ? 0 : ownTokens + leastListTokens;
    const isWithin = tokens + listed <= maxTokens && count <= mostTools;
    if (isWithin && !isSeldomUsed(members)) break;
    left.add(group);
    tokens -= sumOfTokens(members);
    count -= members.length;
  }
  if (left.size === 0) return all;
  const isDeferred = ({group}: Offered): boolean => group !== undefined && left.has(group);
  const room = maxTokens - tokens - ownTokens;
  return {
    kept: tools.filter((tool) => !isDeferred(tool)),
    deferred: tools.filter(isDeferred),
    listTokens: Math.min(Math.max(room, leastListTokens), mostListTokens),
  };
}

function groupsBySize(tools: readonly Offered[]): [group: string, members: readonly Offered[]][] {
  const grouped = tools.filter(({group}) => group !== undefined);
  return [...Map.groupBy(grouped, ({group = ''}) => group)].toSorted(
    ([name, members], [otherName, others]) =>
      Number(isSeldomUsed(others)) - Number(isSeldomUsed(members)) ||
      sumOfTokens(others) - sumOfTokens(members) ||
      (name < otherName ? -1 : 1),
  );
}

function isSeldomUsed(members: readonly Offered[]): boolean {
  return members.some((tool) => tool.isSeldomUsed === true);
}

/** The first tools that fit into a budget; the first one always does. */
export function firstWithin(tools: readonly Offered[], maxTokens = Infinity): readonly Offered[] {
  let tokens = 0;
  const end = tools.findIndex((tool, index) => {
    tokens += tokensOf(tool);
    return index > 0 && tokens > maxTokens;
  });
  return end === -1 ? tools : tools.slice(0, end);
}

/** Of tools that were brought in, the latest that fit into a budget, in their order. */
export function latestWithin(tools: readonly Offered[], maxTokens = Infinity): readonly Offered[] {
  return firstWithin(tools.toReversed(), maxTokens).toReversed();
}
