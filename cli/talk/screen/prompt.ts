/** The prompt, and the status on the row above it. */

import {offlineModel} from '../../../actors/config/roles.ts';
import type {Config} from '../../../actors/config/schema.ts';
import {addUsage, type UsageTotals} from '../../../machines/domain/result.ts';
import {t} from '../../../machines/message.ts';
import {modelsInEffect, routerOf} from '../../config/in-effect.ts';
import type {LoadedConfig} from '../../config/load.ts';
import {say, type Reader} from '../../language.ts';
import {statusText} from '../../render/live/status.ts';
import {spentText} from '../../render/numbers.ts';
import {fittingSegments, oneLine, widthOfText} from '../../render/text.ts';
import type {RunView} from '../../render/view/run-view.ts';
import type {Environment} from '../../terminal.ts';
import {isWorking, type Root} from '../roots.ts';
import type {Focused} from '../talk.ts';
import type {Waiting} from '../waiting.ts';

/** `solo> `, `ens plan-only 3.1> `: the mode of new tasks, and the interaction that receives typed text. */
export function promptText(
  {consensus_level: level, phase_scope: scope, strategy}: Config['agent'],
  focused: Pick<Focused, 'place'> | undefined,
): string {
  const words = [
    level === 'ensemble' ? 'ens' : 'solo',
    ...(scope === 'full' ? [] : [scope]),
    ...(strategy === 'debate' ? [strategy] : []),
    ...(focused ? [focused.place] : []),
  ];
  return `${words.join(' ')}> `;
}

export interface ChatStatus extends Reader {
  readonly working: readonly Root[];
  readonly waiting: readonly Pick<Waiting, 'place'>[];
  /** The interaction whose status is shown in full. */
  readonly focused: {readonly root: Root} | undefined;
  readonly width: number;
  /** Epoch ms. */
  readonly now: number;
}

/** Undefined when nothing runs. */
export function chatStatus({
  working,
  waiting,
  focused,
  width,
  now,
  ...reader
}: ChatStatus): string | undefined {
  const root = focused?.root ?? working.at(-1);
  if (!root) return undefined;
  const others = working.length - 1;
  const asks = waiting.map(({place}) => place).join(', ');
  const ends = [
    asks === ''
      ? ''
      : say(waiting.length === 1 ? t`${asks} waits for you` : t`${asks} wait for you`, reader),
    others > 0 ? say(t`${others} {other running|others running}`, reader) : '',
  ];
  const head = `${root.number}`;
  const room = width - 1 - widthOfText(fittingSegments([head, ...ends], width)) - separatorColumns;
  const text = statusText(root.view, {elapsedMs: now - root.startedAt, width: room, ...reader});
  return fittingSegments([head, room < leastStatus ? '' : text, ...ends], width - 1);
}

/** With fewer columns, the run's status gives way to the list of waiting questions. */
const leastStatus = 10;
const separatorColumns = ' · '.length;

/** The model of tasks. */
export function modelText(loaded: LoadedConfig, env: Environment, reader: Reader): string {
  const {models} = modelsInEffect(loaded, routerOf(loaded, env));
  const model = [models['agent.decision_model'] ?? []].flat()[0];
  if (model === undefined) return say(t`no model`, reader);
  if (model !== offlineModel) return oneLine(model, 60);
  return loaded.config.agent.decision_model === 'offline'
    ? say(t`offline model`, reader)
    : say(t`offline model (no key)`, reader);
}

export interface ScreenStatus extends Reader {
  readonly roots: readonly Root[];
  /** That of the shown tab. */
  readonly shown: Root | undefined;
  /** What runs; else the model of tasks. */
  readonly head: string;
  readonly width: number;
}

/** The head, tokens and cost of the shown run and of all runs, and how the latest command was confined. */
export function screenStatus({roots, shown, head, width, ...reader}: ScreenStatus): string {
  const [first, ...others] = roots.flatMap(({view}) => view.usage ?? []);
  const all = first && others.length > 0 ? others.reduce(addUsage, first) : undefined;
  const parts = [
    head,
    shown && !isWorking(shown) ? spentOn(shown.view.usage, reader) : '',
    all ? say(t`all: ${spentOn(all, reader)}`, reader) : '',
    shown ? confinementIn(shown.view) : '',
  ];
  return fittingSegments(parts, width - 1);
}

function spentOn(usage: UsageTotals | undefined, reader: Reader): string {
  if (!usage) return '';
  const tokens = say(t`${usage.inputTokens + usage.outputTokens} {token|tokens}`, reader);
  return [tokens, spentText(usage)].filter((part) => part !== '').join(' ');
}

function confinementIn({tasks, interactions}: RunView): string {
  const calls = [...tasks, ...interactions].flatMap((one) => one.calls);
  return calls.findLast(({confinement}) => confinement !== undefined)?.confinement ?? '';
}
