/** Who performs which port: models, tools, policies. A person's decision comes another way. */

import {lstat} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {Ballot} from '../machines/domain/ballot.ts';
import {callHash, type ToolOutcome} from '../machines/domain/tool.ts';
import type {Asked, PortName, PortOutcome, PortRequest} from '../machines/ports.ts';
import {checkText, surveyWorkspace, type Toolbox, type ToolContext} from '../tools/index.ts';
import type {EffectContext} from './engine/engine.ts';
import type {Router} from './model/router-api.ts';
import {consultPolicy, policies, type PolicyReviewer} from './policies/index.ts';
import {createOffers} from './purpose-tools.ts';

type Performed = Exclude<PortName, 'askHuman'>;

/** One function a port. Each resolves with an outcome and rejects only for bugs. */
export type Performers = {
  readonly [P in Performed]: (
    request: PortRequest<P>,
    context: PerformContext,
  ) => Promise<PortOutcome<P>>;
};

export interface PerformContext extends EffectContext {
  readonly onDelta: (model: string, text: string) => void;
  readonly onChild: (processGroup: number) => void;
}

export interface PerformerDeps {
  readonly router: Router;
  readonly toolbox: Toolbox;
  /** Reviewers by rule beside the built-in ones, by name without `policy/`. */
  readonly policies: Readonly<Record<string, PolicyReviewer>>;
}

export function createPerformers({router, toolbox, policies: added}: PerformerDeps): Performers {
  const offer = createOffers(toolbox);
  const known = {...policies, ...added};
  return {
    callModel: async (request, {signal, onDelta}) => {
      const model = router.get(request.model);
      return await model.call(request, {
        tools: await offer(request.tools),
        signal,
        onDelta: (text) => {
          if (request.isWithheld !== true) onDelta(request.model, text);
        },
      });
    },
    runTool: async (request, context) => {
      const refusal = unapproved(toolbox, request);
      if (refusal) return refusal;
      return await toolbox.run(request, toolContext(request.workspace, context));
    },
    previewTool: async (request, context) =>
      await toolbox.preview(request, toolContext(request.workspace, context)),
    checkCalls: async ({calls}) => ({problems: toolbox.check(calls)}),
    checkFiles: async ({workspace, paths}) => ({missing: await missingFiles(workspace, paths)}),
    surveyWorkspace: async ({workspace, maxBytes}, {signal}) =>
      await surveyWorkspace(workspace, maxBytes, signal),
    checkText: async ({stage, text, rules}) => checkText(stage, text, rules),
    consultPolicy: async ({policy, proposal}): Promise<{ballot: Ballot}> => ({
      ballot: consultPolicy(policy, proposal, known),
    }),
  };
}

/** The last gate before a high-risk tool: it holds whatever the charts say. */
function unapproved(toolbox: Toolbox, request: PortRequest<'runTool'>): ToolOutcome | undefined {
  const tool = toolbox.find(request.tool);
  if (tool?.risk !== 'high' || request.approval === callHash(request.tool, request.args))
    return undefined;
  const message = `${request.tool} was not approved with these arguments; it was not run`;
  return {kind: 'refused', code: 'not_approved', message};
}

function toolContext(
  workspace: string,
  {signal, recovering, onChild}: PerformContext,
): ToolContext {
  return {workspace, signal, recovering, onChild};
}

async function missingFiles(workspace: string, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      try {
        return (await lstat(resolve(workspace, path))).isFile() ? [] : [path];
      } catch {
        return [path];
      }
    }),
  );
  return found.flat();
}

/** Has a request performed by the function for its port. `askHuman` is nobody's: a person's decision settles it. */
export async function perform(
  performers: Performers,
  asked: Asked,
  context: PerformContext,
): Promise<PortOutcome<Performed>> {
  switch (asked.port) {
    case 'callModel':
      return await performers.callModel(asked.request, context);
    case 'runTool':
      return await performers.runTool(asked.request, context);
    case 'previewTool':
      return await performers.previewTool(asked.request, context);
    case 'checkCalls':
      return await performers.checkCalls(asked.request, context);
    case 'checkFiles':
      return await performers.checkFiles(asked.request, context);
    case 'surveyWorkspace':
      return await performers.surveyWorkspace(asked.request, context);
    case 'checkText':
      return await performers.checkText(asked.request, context);
    case 'consultPolicy':
      return await performers.consultPolicy(asked.request, context);
    case 'askHuman':
      return await Promise.reject(new Error('a human gate is settled by a decision'));
    default:
      return asked satisfies never;
  }
}
