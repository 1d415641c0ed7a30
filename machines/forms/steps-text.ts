/** The steps of a turn loop as context for children. */

import {capBytes} from '../domain/text-limits.ts';
import type {LoopStep} from '../domain/tool.ts';
import {briefLine, type SharedPart} from '../prompts/inherited.ts';
import {bullets} from '../prompts/sections.ts';

/** The steps up to now. `maxBytes` limits each observation. */
export function stepsShared(steps: readonly LoopStep[], maxBytes: number): SharedPart {
  return {
    title: 'Steps so far',
    text: bullets(steps.map((step) => `${callLine(step)}: ${capBytes(step.text, maxBytes)}`)),
    brief: bullets(steps.map((step) => briefLine(`${callLine(step)}: ${step.text}`))),
  };
}

function callLine({tool, args, status}: LoopStep): string {
  return `${tool} ${JSON.stringify(args)} (${status})`;
}
