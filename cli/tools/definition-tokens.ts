/** The size of the definitions of tools in the requests of a worker, in estimated tokens. */

import {createOffers} from '../../actors/performers/offers.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import {sumOfTokens} from '../../tools/find/find-tools.ts';
import type {Toolbox} from '../../tools/index.ts';

export interface DefinitionTokens {
  /** Of all tools. */
  readonly all: number;
  /** In a request, before the model has found others. */
  readonly sent: number;
}

/** Undefined if a tool can't be used as it is configured, such as a missing database. */
export async function definitionTokens(
  toolbox: Toolbox,
  budget: number,
): Promise<DefinitionTokens | undefined> {
  const names = toolbox.list().map(({name}) => name);
  const others = toolbox.list().filter(({finds}) => finds === undefined);
  const prepare = createOffers(toolbox, budget);
  try {
    const all = await Promise.all(others.map(async ({name}) => await toolbox.offered(name)));
    const {tools} = await prepare({
      purpose: 'act',
      model: '',
      system: '',
      transcript: openTranscript(''),
      tools: names,
      toolChoice: 'auto',
      maxOutputTokens: 0,
    });
    return {all: sumOfTokens(all.filter((tool) => tool !== undefined)), sent: sumOfTokens(tools)};
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
