/** Guards and actions that are written in the chart instead of being named by it. */

import {type ChartNode, nameOf, transitionsOf} from '../../chart.ts';
import {builtinType, memberOf, writtenActions} from '../actors.ts';
import type {Fault, Rule} from '../rule.ts';

export const unnamedGuard: Rule = {
  name: 'unnamed-guard',
  description:
    'A guard is an inline function: diagrams, inspectors and tests can only say that there is a condition.',
  check: ({nodes}) =>
    nodes.flatMap(transitionsOf).flatMap((transition): Fault[] =>
      inlineIn(transition.guard)
        ? [
            {
              node: transition.source,
              severity: 'warning',
              transition,
              message: 'the guard is an inline function without a name',
              fix: 'give it a name in setup({guards}), and write the name',
            },
          ]
        : [],
    ),
};

export const unnamedAction: Rule = {
  name: 'unnamed-action',
  description:
    'An action is an inline function: diagrams, inspectors and tests cannot say what it does.',
  check: ({nodes}) =>
    nodes.flatMap((node): Fault[] => {
      const count = writtenActions(node).filter(isUnnamedAction).length;
      if (count === 0) return [];
      const message = `${count === 1 ? 'an action is an inline function' : `${count} actions are inline functions`} without a name`;
      return [
        {
          node,
          severity: 'warning',
          message,
          fix: 'give each a name in setup({actions}), and write the name',
        },
      ];
    }),
};

/**
 * One finding for a machine, and only for one that names other actions: an inline `assign` shows at least that it changes the
 * context alone, and most charts have some.
 */
export const unnamedAssign: Rule = {
  name: 'unnamed-assign',
  description:
    'Other actions of the chart have names, but an assign is written inline: the chart does not say what it changes.',
  check: ({machine, nodes}) => {
    const states = nodes.filter((node) => writtenActions(node).some(isAssign));
    const namesOthers = nodes
      .flatMap(writtenActions)
      .some((action) => nameOf(action) !== undefined);
    if (states.length === 0 || !namesOthers) return [];
    const message = `other actions have names, but assign is written inline in ${listed(states.map(shortName))}`;
    return [
      {
        node: machine.root,
        severity: 'warning',
        message,
        fix: 'give each a name in setup({actions}), and write the name',
      },
    ];
  },
};

/** A guard, or one that `and`, `or` and `not` combine. Not `stateIn`, and not a function with a name of its own. */
function inlineIn(guard: unknown): boolean {
  const parts = memberOf(guard, 'guards');
  if (Array.isArray(parts)) return parts.some(inlineIn);
  return typeof guard === 'function' && !Object.hasOwn(guard, 'check') && isAnonymous(guard);
}

function isUnnamedAction(action: unknown): boolean {
  if (typeof action !== 'function') return false;
  const type = builtinType(action);
  return type === undefined ? isAnonymous(action) : type === 'xstate.enqueueActions';
}

function isAssign(action: unknown): boolean {
  return nameOf(action) === undefined && builtinType(action) === 'xstate.assign';
}

/** An arrow function is called after the property that it is written in. */
function isAnonymous({name}: {readonly name: string}): boolean {
  return ['', 'guard', 'actions', 'entry', 'exit', 'anonymous'].includes(name);
}

function shortName({path}: ChartNode): string {
  return path.length === 0 ? 'the root state' : path.join('.');
}

const maxListed = 5;

function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return `${names.slice(0, maxListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
