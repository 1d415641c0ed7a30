/** Numbers as people read them: money, counts, durations, ages. */

import type {UsageTotals} from '../../machines/domain/result.ts';
import {type Message, t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';

export function costText(costUsd: number): string {
  return `$${costUsd.toFixed(costUsd > 0 && costUsd < 0.01 ? 4 : 2)}`;
}

/** `~` before an estimate; empty without a cost. */
export function spentText({
  costUsd,
  estimated,
}: Pick<UsageTotals, 'costUsd' | 'estimated'>): string {
  return costUsd === undefined ? '' : `${estimated ? '~' : ''}${costText(costUsd)}`;
}

export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

/** `850 bytes`, `12 KB`, `3.4 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), 3);
  const amount = bytes / 1024 ** power;
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${['', 'KB', 'MB', 'GB'][power]}`;
}

/** With tenths of a second for a short time: `0.7 s`. */
export function secondsText(ms: number): string {
  return ms < 60_000 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : durationText(ms);
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
export function ageText(sinceMs: number, reader: Reader = {}): string {
  return say(sinceMs < 60_000 ? t`now` : ageIn(sinceMs), reader);
}

function ageIn(sinceMs: number): Message {
  const minutes = Math.floor(sinceMs / 60_000);
  if (minutes < 60) return t`${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? t`${hours} h` : t`${Math.floor(hours / 24)} d`;
}

/** `just now`, `5 min ago`. */
export function agoText(sinceMs: number, reader: Reader = {}): string {
  return say(sinceMs < 60_000 ? t`just now` : t`${ageIn(sinceMs)} ago`, reader);
}

/** Local time, to the minute: `2026-11-22 14:03`. */
export function timeText(at: number): string {
  return new Date(at).toLocaleString('sv-SE', {dateStyle: 'short', timeStyle: 'short'});
}

export function usageSegments(usage: UsageTotals, reader: Reader = {}): string[] {
  const segments = usageMessages(usage).map((segment) => say(segment, reader));
  const last = segments.pop() ?? '';
  return [...segments, usage.estimated ? last + say(t` (estimated)`, reader) : last];
}

function usageMessages({costUsd, cachedTokens, ...usage}: UsageTotals): (Message | string)[] {
  if (usage.modelCalls === 0) return [t`no model was called`];
  const [calls = '', input = '', output = '', cached = ''] = [
    usage.modelCalls,
    usage.inputTokens,
    usage.outputTokens,
    cachedTokens,
  ].map((count) => count.toLocaleString('en-US'));
  const ofCache = cachedTokens > 0 ? t` (${cached} cached)` : t``;
  return [
    usage.modelCalls === 1 ? t`${calls} model call` : t`${calls} model calls`,
    t`${input} tokens in${ofCache}`,
    t`${output} out`,
    ...(costUsd === undefined ? [] : [costText(costUsd)]),
  ];
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
