/** Numbers as people read them: money, counts, durations, ages. */

import type {UsageTotals} from '../../machines/domain/result.ts';
import type {Reader} from '../language.ts';

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
export function ageText(sinceMs: number, {language = 'en'}: Reader = {}): string {
  if (language === 'ja') return ageInJapanese(sinceMs);
  const minutes = Math.floor(sinceMs / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

function ageInJapanese(sinceMs: number): string {
  const minutes = Math.floor(sinceMs / 60_000);
  if (minutes < 1) return '今';
  if (minutes < 60) return `${minutes} 分`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} 時間` : `${Math.floor(hours / 24)} 日`;
}

/** `just now`, `5 min ago`. */
export function agoText(sinceMs: number, {language = 'en'}: Reader = {}): string {
  if (language === 'ja') return sinceMs < 60_000 ? '今' : `${ageInJapanese(sinceMs)}前`;
  const age = ageText(sinceMs);
  return age === 'now' ? 'just now' : `${age} ago`;
}

/** Local time, to the minute: `2026-11-22 14:03`. */
export function timeText(at: number): string {
  return new Date(at).toLocaleString('sv-SE', {dateStyle: 'short', timeStyle: 'short'});
}

export function usageSegments(usage: UsageTotals, {language = 'en'}: Reader = {}): string[] {
  const segments = language === 'ja' ? usageInJapanese(usage) : usageInEnglish(usage);
  const mark = language === 'ja' ? '（見積もりを含む）' : ' (estimated)';
  const last = segments.pop() ?? '';
  return [...segments, usage.estimated ? last + mark : last];
}

function usageInEnglish(usage: UsageTotals): string[] {
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

const japaneseNumber = new Intl.NumberFormat('ja');

function usageInJapanese(usage: UsageTotals): string[] {
  const {modelCalls, inputTokens, cachedTokens, outputTokens, costUsd} = usage;
  if (modelCalls === 0) return ['モデルの呼び出しなし'];
  const cached = cachedTokens > 0 ? `（キャッシュ ${japaneseNumber.format(cachedTokens)}）` : '';
  return [
    `モデル呼び出し ${japaneseNumber.format(modelCalls)} 回`,
    `入力 ${japaneseNumber.format(inputTokens)} トークン${cached}`,
    `出力 ${japaneseNumber.format(outputTokens)} トークン`,
    ...(costUsd === undefined ? [] : [costText(costUsd)]),
  ];
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
