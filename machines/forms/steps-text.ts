/** Steps of a loop, as those read them that did not take them. */

import {capBytes} from '../domain/buffer.ts';
import type {LoopStep} from '../domain/tool.ts';
import {briefLine, type SharedPart} from '../prompts/inherited.ts';
import {bullets} from '../prompts/sections.ts';

/** What a loop has done so far; `maxBytes` of one observation. */
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
