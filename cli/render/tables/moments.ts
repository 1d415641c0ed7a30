/** The difference between two points of a run, and the states of its actors at one. */

import type {
  ContextChange,
  MomentsDiff,
  StateChange,
} from '../../../actors/history/moments-diff.ts';
import type {Moment} from '../../../actors/history/record.ts';
import {isJsonObject, type Json, type JsonObject} from '../../../machines/domain/json.ts';
import {t} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import {section} from '../result/result.ts';
import type {Style} from '../style.ts';
import {oneLine} from '../text.ts';

/** Changes of contexts beyond this number are counted. */
const maxContexts = 40;
/** The shortest useful text of a value. */
const minValue = 20;

interface View {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
}

/** The states of the actors, each below its parent. */
export function stateLines({actors}: Moment, {style, width}: View): string[] {
  return actors.map(({path, state}) => {
    const parts = path.split('/');
    const indent = '  '.repeat(parts.length - 1);
    const name = parts.at(-1) ?? path;
    const shown = oneLine(name, Math.max(width - indent.length, minValue));
    return `${indent}${shown}  ${style.dim(oneLine(stateText(state)))}`;
  });
}

export function diffLines(diff: MomentsDiff, view: View): string[] {
  const {style} = view;
  const {from, to, states, contexts, decisions, files} = diff;
  const width = Math.max(view.width - 2, minValue);
  const shown = contexts.slice(0, maxContexts);
  return [
    say(t`from entry ${from} to entry ${to}`, style),
    ...section(
      say(t`States`, style),
      states.map((change) => oneLine(stateChange(change), width)),
      style,
    ),
    ...section(
      say(t`Decisions and messages`, style),
      decisions.map(({entry, what}) => oneLine(`${entry}  ${decisionText(what)}`, width)),
      style,
    ),
    ...section(
      say(t`Files`, style),
      filesText(files, say(t`unknown: an earlier version recorded the run`, style)),
      style,
    ),
    ...section(
      say(t`Contexts`, style),
      [
        ...shown.map((change) => contextLine(change, width)),
        ...(contexts.length > maxContexts
          ? [say(t`… ${contexts.length - maxContexts} more: --output json has all`, style)]
          : []),
      ],
      style,
    ),
    ...(states.length + contexts.length + decisions.length + (files?.length ?? 0) === 0
      ? [say(t`Nothing changed.`, style)]
      : []),
  ];
}

function stateChange({path, from, to}: StateChange): string {
  if (from === undefined) return `+ ${path}  ${stateText(to ?? null)}`;
  if (to === undefined) return `- ${path}  ${stateText(from)}`;
  return `  ${path}  ${stateText(from)} → ${stateText(to)}`;
}

/** `reviewingPlan`, or of nested and parallel states `working.thinking, timing`. */
function stateText(state: Json): string {
  if (typeof state === 'string') return state;
  if (!isJsonObject(state)) return '';
  return Object.entries(state)
    .map(([name, below]) => {
      const inner = stateText(below);
      return inner === '' ? name : `${name}.${inner}`;
    })
    .join(', ');
}

function decisionText(what: JsonObject): string {
  const parts = ['type', 'summary', 'verdict', 'decision', 'text', 'reason', 'task', 'status'];
  const words = parts.flatMap((part) => {
    const value = what[part];
    return typeof value === 'string' ? [value] : [];
  });
  return words.join(' · ');
}

function filesText(files: MomentsDiff['files'], unknown: string): string[] {
  if (!files) return [unknown];
  return files.map(({path, from, to}) => {
    if (from === undefined) return `+ ${oneLine(path)}`;
    return to === undefined ? `- ${oneLine(path)}` : `~ ${oneLine(path)}`;
  });
}

function contextLine({path, member, from, to}: ContextChange, width: number): string {
  const name = `${path.split('/').at(-1) ?? path}.${member}`;
  const half = Math.max(minValue, Math.floor((width - name.length) / 2) - 3);
  const [before, after] = [from, to].map((value) =>
    value === undefined ? '—' : oneLine(JSON.stringify(value), half),
  );
  return oneLine(`${name}: ${before} → ${after}`, width);
}
