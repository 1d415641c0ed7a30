/** Records the call of a command in any position. */

import {inputOf, type World} from '../words/world.ts';
import type {Call, Scope, Shell} from './shell.ts';

export function note(
  shell: Shell,
  {name, args, env, ...call}: Call,
  world: World,
  scope: Scope,
  isTest = false,
): void {
  const {workspace} = shell.places;
  const {folder} = world;
  const isInside = folder === workspace || folder?.startsWith(`${workspace}/`);
  const input = typeof call.input === 'string' ? undefined : call.input.text;
  shell.ledger.note({
    name: name.text.replace(/^.*\/(?=[^/])/s, ''),
    args,
    assignments: env,
    redirects: call.redirects,
    text: call.text,
    folder: isInside ? folder?.slice(workspace.length + 1) : undefined,
    piped: isPiped(inputOf(call.input, world)),
    background: scope.isBackground,
    ...(input === undefined ? {} : {input}),
    isTest,
  });
}

/** A word that is not a pattern is the text of a here-document. */
function isPiped(input: Call['input']): boolean {
  return input === 'pipe' || input === 'endless' || (typeof input !== 'string' && input.pattern);
}
