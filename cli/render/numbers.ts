/** Numbers as people read them: money, counts, durations, ages. */

import type {UsageTotals} from '../../machines/domain/result.ts';

export function costText(costUsd: number): string {
  return `$${costUsd.toFixed(costUsd > 0 && costUsd < 0.01 ? 4 : 2)}`;
}

export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

/** `850 ms`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** The time since, in the largest unit that fits: `now`, `5 min`, `3 h`, `12 d`. */
export function ageText(sinceMs: number): string {
  const minutes = Math.floor(sinceMs / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** `just now`, `5 min ago`. */
export function agoText(sinceMs: number): string {
  const age = ageText(sinceMs);
  return age === 'now' ? 'just now' : `${age} ago`;
}

/** Local time, to the minute: `2026-11-22 14:03`. */
export function timeText(at: number): string {
  return new Date(at).toLocaleString('sv-SE', {dateStyle: 'short', timeStyle: 'short'});
}

export function usageSegments(usage: UsageTotals): string[] {
  if (usage.modelCalls === 0) return ['no model was called'];
  const cached =
    usage.cachedTokens > 0 ? ` (${usage.cachedTokens.toLocaleString('en-US')} cached)` : '';
  return [
    countText(usage.modelCalls, 'model call'),
    `${usage.inputTokens.toLocaleString('en-US')} tokens in${cached}`,
    `${usage.outputTokens.toLocaleString('en-US')} out`,
    ...(usage.costUsd === undefined ? [] : [costText(usage.costUsd)]),
  ];
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
