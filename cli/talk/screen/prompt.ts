/** The prompt, and the status on the row above it. */

import {readdirSync} from 'node:fs';
import {dirname, resolve} from 'node:path';

import {offlineModel} from '../../../actors/config/roles.ts';
import type {Config} from '../../../actors/config/schema.ts';
import {type UsageTotals, addUsage} from '../../../machines/domain/result.ts';
import {t} from '../../../machines/message.ts';
import {modelsInEffect, routerOf} from '../../config/in-effect.ts';
import type {LoadedConfig} from '../../config/load.ts';
import {type Reader, say} from '../../language.ts';
import {statusText} from '../../render/live/status.ts';
import {spentText} from '../../render/numbers.ts';
import {fittingSegments, oneLine, widthOfText} from '../../render/text.ts';
import type {RunView} from '../../render/view/run-view.ts';
import {placeOf} from '../../render/view/session-view.ts';
import type {Environment} from '../../terminal.ts';
import type {Completion} from '../../terminal/line-editor.ts';
import type {Operand} from '../command.ts';
import {commandTable, specOf} from '../parse.ts';
import {type Root, isSuspended, isWorking} from '../roots.ts';
import {type Focused, type Talk, isConversation} from '../talk.ts';
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

// Completion by Tab: commands, their operands, and files after an `@`.

/** The words that can be completed at the moment. */
export interface Completing {
  /** The names of commands. */
  readonly commands: () => readonly string[];
  /** Places of all interactions, of the ones at a gate, of the ones that ask for a reply; and numbers of resumable runs. */
  readonly places: () => readonly string[];
  readonly gates: () => readonly string[];
  readonly asks: () => readonly string[];
  readonly runs: () => readonly string[];
  /** Absolute. */
  readonly workspace: string;
}

/** The candidates for the last word, and the word. */
export function complete(line: string, there: Completing): Completion {
  const part = /\S*$/.exec(line)?.[0] ?? '';
  return [candidates(line, part, there).filter((word) => word.startsWith(part)), part];
}

function candidates(line: string, part: string, there: Completing): readonly string[] {
  if (part.startsWith('@')) return filesFor(part.slice(1), there.workspace);
  const [, before = ''] = /^(.*?)\S*$/s.exec(line) ?? [];
  if (part.startsWith('/')) return there.commands().map((name) => `/${name} `);
  const [, name = ''] = /(?:^|\s)\/([a-z-]+)\s+$/i.exec(before) ?? [];
  return wordsFor(specOf(name.toLowerCase())?.operand, there);
}

function wordsFor(operand: Operand | undefined, there: Completing): readonly string[] {
  if (operand === undefined) return [];
  if (typeof operand !== 'string') return operand;
  if (operand === 'command') return there.commands();
  if (operand === 'run') return there.runs();
  if (operand === 'ask') return there.asks();
  return operand === 'gate' ? there.gates() : there.places();
}

function filesFor(path: string, workspace: string): string[] {
  const folder = path.endsWith('/') ? path : dirname(path);
  const prefix = folder === '.' ? '' : `${folder.replace(/\/$/, '')}/`;
  try {
    return readdirSync(resolve(workspace, folder), {withFileTypes: true})
      .filter(({name}) => !name.startsWith('.') && !/[\s\p{Cc}]/u.test(name))
      .map((entry) => `@${prefix}${entry.name}${entry.isDirectory() ? '/' : ' '}`);
  } catch {
    return [];
  }
}

export function completingIn(talk: Talk): Completing {
  const {roots, questions, workspace} = talk;
  return {
    workspace,
    commands: () => commandsFor(talk),
    places: () =>
      roots
        .view()
        .runs.flatMap(({interactions}) => interactions)
        .map(({id}) => placeOf(roots.view(), id)),
    gates: () => questions.gates().map(({place}) => place),
    asks: () => questions.interviews().map(({place}) => place),
    runs: () =>
      roots
        .all()
        .filter(isSuspended)
        .map(({number}) => String(number)),
  };
}

/** In one run, those that have an effect at the moment. */
function commandsFor(talk: Talk): readonly string[] {
  const names = Object.keys(commandTable);
  if (isConversation(talk)) return names;
  const {questions} = talk;
  const [gate] = questions.gates();
  const asking = questions.answering() ? 'interview' : undefined;
  const allowed: readonly string[] = gate?.open.question.allowed ?? [];
  return names.filter((name) => {
    const inRun = specOf(name)?.inRun;
    return inRun === 'always' || inRun === asking || allowed.includes(name);
  });
}
