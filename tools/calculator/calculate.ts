/** The value of an arithmetic expression, with Python's meaning of every operator. */

import {apply, withinBits} from './arithmetic.ts';
import {parse, type Step} from './parse.ts';
import {type Problem, ProblemMet} from './problem.ts';
import {floatText} from './round.ts';
import type {Value} from './tokens.ts';

export type Calculation =
  | {
      readonly ok: true;
      /** As Python's repr: all digits of an integer; a float has a point or an exponent. */
      readonly text: string;
    }
  | {readonly ok: false; readonly problem: Problem};

/** Never throws, for any text; returns within milliseconds. */
export function calculate(expression: string): Calculation {
  try {
    const value = evaluate(parse(expression));
    return {ok: true, text: typeof value === 'bigint' ? String(value) : floatText(value)};
  } catch (error) {
    if (error instanceof ProblemMet) return {ok: false, problem: error.problem};
    throw error;
  }
}

function evaluate(steps: readonly Step[]): Value {
  const values: Value[] = [];
  for (const step of steps) values.push(perform(step, values));
  return pop(values);
}

function perform(step: Step, values: Value[]): Value {
  if (step.kind === 'push') return withinBits(step.value, step.offset);
  const right = pop(values);
  if (step.kind === 'negate') return -right;
  return apply(step.operator, pop(values), right, step.offset);
}

function pop(values: Value[]): Value {
  const value = values.pop();
  if (value === undefined) throw new Error('an operator without an operand was parsed');
  return value;
}
