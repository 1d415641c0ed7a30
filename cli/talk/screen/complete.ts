/** Completion by Tab: commands, their operands, and files after an `@`. */

import {readdirSync} from 'node:fs';
import {dirname, resolve} from 'node:path';

import {placeOf} from '../../render/view/session-view.ts';
import type {Completion} from '../../terminal/line-editor.ts';
import type {Operand} from '../command.ts';
import {commandTable, specOf} from '../parse.ts';
import {isSuspended} from '../roots.ts';
import {isConversation, type Talk} from '../talk.ts';

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
