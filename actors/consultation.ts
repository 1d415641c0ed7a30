/** Asks a reviewer by rule, who hears what is known of a proposal's commands. */

import type {Ballot} from '../machines/domain/ballot.ts';
import {asJson} from '../machines/domain/json.ts';
import type {PortRequest} from '../machines/ports.ts';
import type {Toolbox, ToolContext} from '../tools/index.ts';
import {createMemo} from '../tools/memo.ts';
import type {PolicyReviewer} from './policies/names.ts';
import type {StudyDeps} from './policies/studies.ts';

export interface ConsultationDeps {
  readonly toolbox: Toolbox;
  /** Reviewers by rule beside the built-in ones, by name without `policy/`. */
  readonly policies: Readonly<Record<string, PolicyReviewer>>;
  /** Whether what a command changes in the workspace can be undone, but for what git ignores. Never rejects. */
  readonly isRestorable: (workspace: string) => Promise<boolean>;
}

export type Consult = (
  request: PortRequest<'consultPolicy'>,
  context: ToolContext,
) => Promise<{readonly ballot: Ballot}>;

export function createConsultation({
  toolbox,
  policies: added,
  isRestorable,
}: ConsultationDeps): Consult {
  const once = createMemo<Awaited<ReturnType<typeof load>>>();
  return async ({policy, proposal}, context) => {
    const {consultPolicy, policies, study, createSurroundings} = await once('policies', load);
    const known = await study(proposal, {
      surroundingsOf: createSurroundings,
      isRestorable,
      isConfined: isConfinedBy(toolbox, context),
    });
    return {ballot: consultPolicy(policy, proposal, known, {...policies, ...added})};
  };
}

/** Loaded when somebody is consulted. */
async function load() {
  const [index, {createStudies}, {createSurroundings}] = await Promise.all([
    import('./policies/index.ts'),
    import('./policies/studies.ts'),
    import('../tools/commands/surroundings-of.ts'),
  ]);
  return {...index, study: createStudies(), createSurroundings};
}

/** As its preview tells. */
function isConfinedBy(toolbox: Toolbox, context: ToolContext): StudyDeps['isConfined'] {
  return async ({tool, args}, workspace) => {
    const preview = await toolbox.preview({tool, args: asJson(args), workspace}, context);
    return preview.kind === 'ready' && preview.confinement === 'confined';
  };
}
