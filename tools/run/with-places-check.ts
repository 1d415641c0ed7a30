/** Wraps the tools of a program that embeds the runtime: after a call, the workspace is checked as after a command. */

import {riskOf, type ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';
import type {AnyTool} from '../toolbox.ts';

export function withPlacesCheck(tool: AnyTool): AnyTool {
  return {
    ...tool,
    run: async (args, context) => {
      if (riskOf(tool, args) === 'low') return await tool.run(args, context);
      const {beginPlacesCheck} = await import('./places-check.ts');
      const approved = context.allowedBy === 'person' ? JSON.stringify(args) : undefined;
      const look = await beginPlacesCheck(context.workspace, approved);
      const outcome = await tool.run(args, context);
      return withNotes(outcome, await look());
    },
  };
}

function withNotes(outcome: ToolOutcome, notes: readonly string[]): ToolOutcome {
  if (notes.length === 0) return outcome;
  const lines = notes.map((note) => `[${escapeLine(note)}]`).join('\n');
  if (outcome.kind === 'refused' || outcome.kind === 'inDoubt') {
    return {...outcome, message: `${outcome.message}\n${lines}`};
  }
  return {...outcome, text: [outcome.text ?? '', lines].filter((text) => text !== '').join('\n')};
}
