/** `$((…))`: always a number if its operands are numbers. bash runs the command in `a[$(…)]` inside a variable. */

import {isNumeric, someNumber, withVariable, type Value, type World} from './world.ts';

export interface Computed {
  readonly value: Value;
  readonly world: World;
  /** The reason why it can't be judged. */
  readonly why?: string;
}

const assigns = /(?:<<|>>)=|(?<![=!<>])=(?!=)|\+\+|--/;

export function evaluate(
  {expression, written}: {readonly expression: string; readonly written: string},
  world: World,
): Computed {
  const value = someNumber(written);
  const names = [...expression.matchAll(/(?<!\w)[A-Za-z_]\w*/g)].map(([name]) => name);
  const operands = [...expression.matchAll(/\$([@*\d-])/g)].map(([, name = '']) => name);
  const isCodeless =
    names.every((name) => isSafe(world.variables.get(name))) &&
    operands.every((name) => isPlainOperand(name, world));
  if (!isCodeless) return {value, world, why: 'computes with a value that may be code'};
  if (!assigns.test(expression)) return {value, world};
  const after = names.reduce((now, name) => withVariable(now, name, someNumber(`$${name}`)), world);
  return {value, world: after};
}

/** `$1`; the other special operands are several words. */
function isPlainOperand(name: string, {operands}: World): boolean {
  return /[1-9]/.test(name) && operands !== undefined && isSafe(operands[Number(name) - 1]);
}

/** A variable that the text never sets contains no code of the text. */
function isSafe(value: Value | undefined): boolean {
  return value === undefined || (value.known && value.text === '') || isNumeric(value);
}
