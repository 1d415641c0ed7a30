import {
  memberOf,
  builtinType,
  type ChildActor,
  implementedAction,
  writtenActions,
} from '../actors.ts';
import {actorText} from '../error-handling.ts';
import type {LintedChart} from '../linted-chart.ts';
import type {Fault, Rule} from '../rule.ts';
import {missing} from './unknown-names.ts';

export const unknownActor: Rule = {
  name: 'unknown-actor',
  description:
    'The logic of an invoked or spawned actor is missing, and the state waits for an actor that does not start; or sendTo names an id that no actor has.',
  check: (chart) => [
    ...missing('actors', namedActors(chart), chart, 'nothing starts, and the state waits for ever'),
    ...chart.actors.filter((actor) => !isMissing(actor, chart)).flatMap(logicFault),
    ...addresseeFaults(chart),
  ],
};

function namedActors({actors}: LintedChart) {
  return actors.flatMap(({node, name}) => (name === undefined ? [] : [{node, name}]));
}

function isMissing({name}: ChildActor, {machine}: LintedChart): boolean {
  return name !== undefined && !Object.hasOwn(machine.implementations.actors, name);
}

/** A placeholder under a name may be replaced by `provide`. */
function logicFault(actor: ChildActor): Fault[] {
  const {node, name, logic} = actor;
  if (typeof logic === 'object' && logic !== null && 'transition' in logic) return [];
  const found = typeof logic === 'function' ? 'a function' : 'not actor logic';
  return [
    {
      node,
      severity: name === undefined ? 'error' : 'warning',
      message: `the logic of ${actorText(actor)} is ${logic === undefined ? 'undefined' : found}: XState cannot start it`,
      fix:
        logic === undefined
          ? 'look for modules that import each other'
          : 'wrap it in fromPromise or fromCallback',
    },
  ];
}

/** `sendTo` throws for an id that no child has. */
function addresseeFaults({nodes, actors, spawnsByFunction}: LintedChart): Fault[] {
  if (spawnsByFunction) return [];
  const ids = new Set(actors.map(({id}) => id));
  return nodes.flatMap((node) =>
    writtenActions(node)
      .map((action) => implementedAction(node, action))
      .filter((action) => builtinType(action) === 'xstate.sendTo')
      .map((action) => memberOf(action, 'to'))
      .filter((to) => typeof to === 'string' && !to.startsWith('#_'))
      .filter((to) => !ids.has(String(to)))
      .map((to) => ({
        node,
        severity: 'error' as const,
        message: `sendTo names the actor ${String(to)}, but no actor has this id: sendTo throws`,
        fix: 'give the invoke or spawnChild this id',
      })),
  );
}
