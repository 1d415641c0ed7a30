/** Calls of a run that are in flight, as texts for a person. */

import {callSummary, type Repeatability} from '../../machines/domain/tool.ts';
import {type Effect, type EffectTable, hasBegunBefore} from '../engine/effect.ts';

/** How a resumed run handles an effect that was aborted. */
const sequels: Readonly<Record<Repeatability, string>> = {
  repeatable: 'is asked again',
  checkable: 'is checked, and done unless it has already happened',
  once: 'is done again only if a person says so',
};

/**
 * Describes the model calls and tool calls among effects: `the call of mock/planner (plan) is asked again`. Other effects
 * take too little time to be listed.
 */
export function underWayIn(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    const what = whatOf(effect);
    return what === undefined ? [] : [`${what} ${sequels[effect.repeatability]}`];
  });
}

/** Calls that this process or an earlier one has begun and whose outcome is unknown. */
export function inDoubtAmong({open, missed}: EffectTable): string[] {
  const known = open.flatMap((effect) => {
    const {port, request} = effect;
    if (port === 'runTool' && hasBegunBefore(effect))
      return callSummary(request.tool, request.args);
    const [summary = ''] = port === 'askHuman' ? (request.preview ?? '').split('\n') : [];
    return port === 'askHuman' && request.kind === 'in-doubt' ? summary : [];
  });
  return [...known, ...missed];
}

function whatOf({port, request}: Effect): string | undefined {
  if (port === 'callModel') return `the call of ${request.model} (${request.purpose})`;
  return port === 'runTool' ? callSummary(request.tool, request.args) : undefined;
}
