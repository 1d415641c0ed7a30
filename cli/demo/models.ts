/** The demo's scripted models. The script is read at the first call. */

import type {Model} from '../../actors/model/model.ts';
import {shippedFile} from '../version.ts';

export const demoConfig = {
  agent: {
    exploration_model: 'scripted/demo-planner',
    decision_model: 'scripted/demo-planner',
    review_models: ['scripted/demo-careful', 'scripted/demo-quick', 'policy/safety'],
  },
  // Without a sandbox for the tests, no policy can judge the run's own code, so the models decide. A refusal still ends a vote.
  quorum: {veto: []},
};

const names = ['scripted/demo-planner', 'scripted/demo-careful', 'scripted/demo-quick'];

export function demoModels(): Model[] {
  let loading: Promise<readonly Model[]> | undefined;
  return names.map((name) => ({
    name,
    call: async (request, context) => {
      loading ??= loadModels();
      const model = (await loading).find((each) => each.name === name);
      if (!model) throw new Error(`the demo's script has no model ${name}`);
      return await model.call(request, context);
    },
  }));
}

async function loadModels(): Promise<readonly Model[]> {
  const {createScriptedModels, loadScript} = await import('../../actors/model/scripted.ts');
  return createScriptedModels(loadScript(shippedFile('cli/demo/script.json'))).models;
}
