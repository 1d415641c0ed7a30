/** Understands a command: finds its effects, and the parts that were not understood. */

import {posix} from 'node:path';

import {createPlaces} from './acts/places.ts';
import {parseShell} from './grammar/parse.ts';
import type {Surroundings} from './surroundings.ts';
import type {Understanding} from './understanding.ts';
import {createLedger} from './walk/ledger.ts';
import type {Scope, Shell} from './walk/shell.ts';
import {runCall} from './walk/simple.ts';
import {runScript} from './walk/walk.ts';
import {createExpander} from './words/substitute.ts';
import {known, type World} from './words/world.ts';

const maxLength = 30_000;

export interface Looking {
  readonly surroundings: Surroundings;
  /** The starting folder of the command, relative to the workspace. */
  readonly folder: string;
  /** Paths that this run wrote. */
  readonly written: readonly string[];
  /** Paths that this run may have changed besides: as code they are unknown. Absent: none. */
  readonly touched?: readonly string[];
}

/**
 * Never rejects. Text, commands, depth and the time for looking are limited; anything beyond a limit is not understood.
 */
export async function understand(
  command: string,
  {surroundings, folder, written, touched = []}: Looking,
): Promise<Understanding> {
  const ledger = createLedger();
  const shell: Shell = {
    ledger,
    places: createPlaces(
      surroundings,
      {written: new Set(written), touched: new Set([...written, ...touched])},
      ledger.miss,
    ),
    run: async (script, worlds, scope) => runScript(shell, script, worlds, scope),
    runCall: async (call, world, scope) => runCall(shell, call, world, scope),
    runText: async (text, name, world, scope) => {
      const parsed = text.length > maxLength ? tooLong : parseShell(text);
      if (parsed.ok) return runScript(shell, parsed.script, [world], scope);
      ledger.miss({word: name, why: parsed.why});
      return [world];
    },
    expander: (scope, by) => createExpander(shell, scope, by),
  };
  try {
    await shell.runText(command, command, await startOf(surroundings, folder), top);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    ledger.miss({word: command, why: `could not be followed: ${why}`});
  }
  return ledger.toUnderstanding();
}

const tooLong = {
  ok: false as const,
  why: `is longer than ${maxLength.toLocaleString('en')} characters`,
};

const top: Scope = {depth: 0, frames: [], following: [], isBackground: false};

/** A command starts in a folder by its real path: its shell knows no links on the way. */
async function startOf({workspace, home, placeOf}: Surroundings, folder: string): Promise<World> {
  const {path} = await placeOf(folder === '' ? '.' : folder, {isKept: true});
  return {
    folder: posix.resolve(workspace, path),
    variables: new Map(home === undefined ? [] : [['HOME', known(home)]]),
    functions: new Map(),
    operands: [],
    self: known('sh'),
    input: 'inherited',
    status: 'any',
  };
}
