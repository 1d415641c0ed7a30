/** What a run is at, as a person reads it. */

import type {Repeatability} from '../../machines/domain/repeatability.ts';
import {callSummary} from '../../machines/domain/tool-facts.ts';
import type {EffectTable} from '../engine/effect-table.ts';
import {type Effect, hasBegunBefore} from '../engine/effect.ts';

/** What a resumed run does about an effect that was broken off. */
const sequels: Readonly<Record<Repeatability, string>> = {
  repeatable: 'is asked again',
  checkable: 'is looked at, and done unless it has happened',
  once: 'is done again only if a person says so',
};

/**
 * Model calls and calls of tools among effects: `the call of mock/planner (plan) is asked again`. What else a run does
 * by itself takes no time worth a word.
 */
export function underWayIn(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    const what = whatOf(effect);
    return what === undefined ? [] : [`${what} ${sequels[effect.repeatability]}`];
  });
}

/** Calls that were begun, by this process or an earlier one, and of which nobody knows whether they happened. */
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
