/** Builtins that set the shell's own options, operands and variables. */

import {known, unknownValue, valueOf, withVariable, type World} from '../words/world.ts';
import {bylineOf, type Call, type Scope, type Shell} from './shell.ts';
import {guarded, isGuarded} from './variables.ts';

const harmlessOptions = new Set(
  'errexit nounset xtrace pipefail noglob verbose noclobber allexport monitor noexec errtrace functrace'.split(
    ' ',
  ),
);

export function setOptions(shell: Shell, {args, ...call}: Call, world: World): readonly World[] {
  if (args.length === 0) {
    shell.ledger.add({
      kind: 'reveals',
      target: 'variables of the environment',
      by: bylineOf({...call, args}),
    });
  }
  const ends = args.findIndex(({text}) => text === '--');
  const options = ends < 0 ? args : args.slice(0, ends);
  const first = options.findIndex(
    ({text}, at) => !/^[-+]/.test(text) && !/^[-+][a-z]*o$/.test(options[at - 1]?.text ?? ''),
  );
  const operands = ends >= 0 ? args.slice(ends + 1) : first < 0 ? undefined : options.slice(first);
  const flags = ends >= 0 || first < 0 ? options : options.slice(0, first);
  const isHarmless = flags.every(
    ({text, known: isKnown, pattern}) =>
      isKnown && !pattern && (/^[-+][euxfvnCamhET]*o?$/.test(text) || harmlessOptions.has(text)),
  );
  if (!isHarmless)
    shell.ledger.miss({word: bylineOf({...call, args}), why: 'changes how the shell reads'});
  if (!operands) return [world];
  const isPlain = operands.every(
    ({known: isKnown, quoted, pattern}) => (isKnown || quoted) && !pattern,
  );
  return [{...world, operands: isPlain ? operands.map(valueOf) : undefined}];
}

/** When it shifts more operands than there are, some shells end; others leave them as they are. */
export function shiftOperands(_shell: Shell, {args}: Call, world: World): readonly World[] {
  const [count] = args;
  const isPlain = !count || (count.known && /^\d+$/.test(count.text));
  const {operands} = world;
  const steps = count ? Number(count.text) : 1;
  const isSure = isPlain && operands !== undefined && steps <= operands.length;
  return [{...world, operands: isSure ? operands.slice(steps) : undefined}];
}

export function unsetNames(
  shell: Shell,
  {args, ...call}: Call,
  world: World,
  {frames}: Scope,
): readonly World[] {
  const option = args[0]?.text.startsWith('-') ? args[0].text : '-v';
  const names = args.filter(({text}) => text !== option).map(({text}) => text);
  const isPlain = args.every((word) => word.known && !word.pattern);
  const isKnown = names.every((name) => /^(?!PATH$)[A-Za-z_]\w*$/.test(name));
  // Without an option, some shells unset the variable only; others unset the function if there is no variable.
  const mayBeFunction =
    args.length === names.length && names.some((name) => world.functions.has(name));
  if (!isPlain || !/^-[vf]$/.test(option) || !isKnown || mayBeFunction) {
    shell.ledger.miss({word: bylineOf({...call, args}), why: 'unsets an unknown name'});
    return [world];
  }
  if (option === '-v') {
    const isLocal = (name: string) => frames.some(({locals}) => locals.has(name));
    return [
      names.reduce(
        (after, name) =>
          isLocal(name)
            ? withVariable(after, name, unknownValue(`$${name}`))
            : withoutVariable(after, name),
        world,
      ),
    ];
  }
  const functions = [...world.functions].filter(([name]) => !names.includes(name));
  return [{...world, functions: new Map(functions)}];
}

function withoutVariable(world: World, name: string): World {
  if (name !== 'IFS') return withVariable(world, name, known(''));
  return {...world, variables: new Map([...world.variables].filter(([each]) => each !== name))};
}

export function readNames(shell: Shell, {args, ...call}: Call, world: World): readonly World[] {
  const names = args.filter(({text}) => text !== '-r');
  if (names.some(({text, known: isKnown}) => !isKnown || !/^[A-Za-z_]\w*$/.test(text))) {
    shell.ledger.miss({word: bylineOf({...call, args}), why: 'reads into an unknown variable'});
  }
  return setNames(shell, names.length === 0 ? ['REPLY'] : names.map(({text}) => text), world);
}

export function setNames(shell: Shell, names: readonly string[], world: World): readonly World[] {
  for (const name of names) if (isGuarded(name)) shell.ledger.miss(guarded(name));
  return [
    names.reduce((after, name) => withVariable(after, name, unknownValue(`$${name}`)), world),
  ];
}
