/** Figures of a run that can't be replayed: from its result, and from entries that name what they are about. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {Entry} from '../journal/journal.ts';
import type {Meter} from './meter.ts';
import {unknownModel} from './run-metrics.ts';

export function takeUnreplayed(meter: Meter, entries: readonly Entry[], result: JsonObject): void {
  takeNotes(meter, entries, result);
  takeTools(meter, entries);
  const {plan, evaluations, usage} = result;
  if (isJsonObject(plan)) meter.count('plans');
  meter.count('replans', Math.max(0, listOf(evaluations).length - 1));
  if (isJsonObject(usage)) takeUsage(meter, usage);
}

/** A plan is voted on in a second round after it was revised. Journals of schema 1 hold rounds only in the result. */
function takeNotes(
  meter: Meter,
  entries: readonly Entry[],
  {reviews, decisions}: JsonObject,
): void {
  const notes = entries.flatMap((entry) => (entry.type === 'noted' ? [entry.note] : []));
  const noted = notes.filter(({type}) => type === 'quorum.decided');
  const rounds = noted.length > 0 ? noted : listOf(reviews);
  meter.count('revisions', rounds.filter(isSecond).length);
  if (noted.length === 0)
    for (const round of rounds) meter.report({...round, type: 'quorum.decided'}, 0);
  if (notes.some(({type}) => type === 'human.decided')) return;
  for (const {by, decision, hash = ''} of listOf(decisions)) {
    if (by !== 'panel') meter.decided({by: by ?? '', decision: decision ?? '', proposalHash: hash});
  }
}

function isSecond({kind, round}: JsonObject): boolean {
  return kind === 'plan' && typeof round === 'number' && round > 1;
}

/** Only of calls that must not be repeated: other entries do not name their tool. */
function takeTools(meter: Meter, entries: readonly Entry[]): void {
  const named = new Set(
    entries.flatMap((entry) =>
      entry.type === 'requested' && entry.tool !== undefined ? [entry.key] : [],
    ),
  );
  for (const entry of entries) {
    if (entry.type === 'settled' && named.has(entry.key) && isJsonObject(entry.outcome))
      meter.tool(entry.outcome);
  }
}

function takeUsage(meter: Meter, usage: JsonObject): void {
  const [modelCalls, inputTokens, cachedTokens, outputTokens] = [
    usage['modelCalls'],
    usage['inputTokens'],
    usage['cachedTokens'],
    usage['outputTokens'],
  ].map((value) => (typeof value === 'number' ? value : 0));
  if (!modelCalls) return;
  const {costUsd} = usage;
  const spent = {
    modelCalls,
    inputTokens: inputTokens ?? 0,
    cachedTokens: cachedTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(typeof costUsd === 'number' ? {costUsd} : {}),
  };
  meter.call(unknownModel, {kind: 'ok'}, {ms: 0, spent});
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
