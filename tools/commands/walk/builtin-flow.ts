/** Builtins that end a shell, a function or an iteration of a loop, and code that runs at the end. */

import {keyOf, unknownValue, withStatus, type Value, type World} from '../words/world.ts';
import {bylineOf, deeper, type Call, type Scope, type Shell} from './shell.ts';

/** The trap runs some time later, in an unknown world; variables that it sets at the end have no effect. */
export async function setTrap(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const [text, ...signals] = call.args;
  if (!text || (text.known && /^(?:-[lp]?|\d+|)$/.test(text.text))) return [world];
  if (!text.known || text.text.startsWith('-')) {
    shell.ledger.miss({word: bylineOf(call), why: 'runs a computed text'});
    return [world];
  }
  const variables = new Map(
    [...world.variables].map(([name, value]): [string, Value] => [
      name,
      name === 'HOME' ? value : unknownValue(`$${name}`),
    ]),
  );
  const later = {...world, variables, folder: undefined, operands: undefined};
  const inner = {...deeper(scope), frames: []};
  const after = await shell.runText(text.text, bylineOf(call), later, inner);
  const isLast = signals.every((signal) => signal.known && /^(?:EXIT|0)$/.test(signal.text));
  const moves = /\b(?:cd|pushd|popd)\b/.test(text.text);
  if (!isLast && (moves || after.some((each) => !isAlike(each, later)))) {
    shell.ledger.miss({word: bylineOf(call), why: 'changes what later words mean'});
  }
  return [world];
}

function isAlike(a: World, b: World): boolean {
  return keyOf(withStatus(a, 'any')) === keyOf(withStatus(b, 'any'));
}

export function leaveShell(_shell: Shell, {args, redirects}: Call, world: World): readonly World[] {
  const [code, more] = args;
  const isSure =
    !more && redirects.length === 0 && (!code || (code.known && /^\d{1,3}$/.test(code.text)));
  return isSure ? [] : [world];
}

/** Jumps to the end of the enclosing loop or function. */
export function leap(
  {args, redirects}: Call,
  world: World,
  {frames}: Scope,
  kind: 'loop' | 'function',
): readonly World[] {
  for (const frame of frames) frame.leaps.push(withStatus(world, 'any'));
  const [count, more] = args;
  const isPlain =
    !more && redirects.length === 0 && (!count || (count.known && /^\d{1,3}$/.test(count.text)));
  const isSure =
    isPlain &&
    (kind === 'loop'
      ? frames.at(-1)?.kind === 'loop'
      : frames.some((frame) => frame.kind === 'function'));
  return isSure ? [] : [world];
}
