import {actorsWithErrors, actorText, fixFor, severityOf} from '../error-handling.ts';
import type {Rule} from '../rule.ts';

export const unhandledError: Rule = {
  name: 'unhandled-error',
  description:
    'No state handles the error of an actor that is invoked, or spawned by spawnChild: a failure stops the machine.',
  check: (chart) =>
    actorsWithErrors('none', chart).map((actor) => ({
      node: actor.node,
      severity: severityOf(actor),
      message: `nothing handles the error of ${actorText(actor)}: a failure stops the machine`,
      fix: fixFor(actor),
    })),
};
