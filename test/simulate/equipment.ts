/** The parts of a runtime that simulated processes share: created once, their models and tools ask the current world. */

import {mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {createEquipment, type Equipment} from '../../actors/equipment.ts';
import {type ConfigInput, createFunctionModel} from '../../actors/index.ts';
import type {Model, ModelCallContext} from '../../actors/model/model.ts';
import {createOfflineModel} from '../../actors/model/offline/offline.ts';
import {createRouter} from '../../actors/model/router.ts';
import {createOffers} from '../../actors/performers/offers.ts';
import {createPerformers, type Performers} from '../../actors/performers/performers.ts';
import {toolingOf} from '../../actors/performers/tooling.ts';
import type {WorkspaceLocks} from '../../actors/performers/workspace-locks.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {createSandbox} from '../../tools/index.ts';
import {simulatedTools} from './cast.ts';
import type {SimPlan} from './plan.ts';

// A run loads it as it opens, and loading takes real time.
await import('../../tools/read/survey.ts');

/** What the models and tools of a world do. */
export interface Acting {
  readonly answer: (request: ModelRequest, context: ModelCallContext) => Promise<ModelOutcome>;
  readonly runTool: (signal: AbortSignal) => Promise<ToolOutcome>;
}

const models = ['worker', 'x', 'y', 'z'].map((name) => `sim/${name}`);

/** Empty, and never written to. */
export const folder = join(tmpdir(), 'quorate-simulated');

/** One world at a time. */
let acting: Acting | undefined;

export function actBy(world: Acting | undefined): void {
  acting = world;
}

function current(): Acting {
  if (!acting) throw new Error('there is no world');
  return acting;
}

export interface SimEquipment extends Equipment {
  readonly performers: Performers;
}

const known = new Map<string, SimEquipment>();

export function equipmentFor(plan: SimPlan): SimEquipment {
  const {scene, rule, hilMode, limits} = plan;
  const key = `${scene === 'debate'} ${rule} ${hilMode} ${limits}`;
  const made = known.get(key) ?? createSimEquipment(plan);
  known.set(key, made);
  return made;
}

function createSimEquipment(plan: SimPlan): SimEquipment {
  mkdirSync(folder, {recursive: true});
  const actors: Model[] = models.map((name) =>
    createFunctionModel(name, async (request, context) => await current().answer(request, context)),
  );
  const equipment = createEquipment({
    config: configOf(plan),
    named: new Set(),
    env: {},
    models: actors,
    tools: simulatedTools(async (signal) => await current().runTool(signal)),
  });
  const {deps, toolboxOf, standingRules, config} = equipment;
  const {snapshots} = deps;
  const tooling = toolingOf(config, folder);
  const toolbox = toolboxOf(tooling);
  const performers = createPerformers({
    router: createRouter({env: {}, extra: [createOfflineModel(), ...actors]}),
    toolbox,
    prepare: createOffers(toolbox, tooling.maxSchemaTokens),
    locks: freeFolder,
    snapshots: {...snapshots, baselines: noBaselines},
    policies: {},
    standingRules,
    sandbox: createSandbox({mode: 'off'}),
  });
  return {...equipment, deps: {...deps, host: {...deps.host, locks: freeFolder}}, performers};
}

/** No other run works in the folder. */
const freeFolder: WorkspaceLocks = {
  lock: async () => await Promise.resolve({locked: true}),
  unlock: () => {},
};

const noBaselines = {
  begin: () => {},
  of: async () => await Promise.resolve('lost' as const),
  forget: () => {},
};

const price = {input: 1, output: 10};

function configOf({scene, rule, hilMode, limits}: SimPlan): ConfigInput {
  const [worker = '', ...panel] = models;
  return {
    agent: {
      exploration_model: worker,
      decision_model: worker,
      review_models: panel,
      hil_mode: hilMode,
      max_plan_revisions: 2,
      max_replans: 1,
    },
    quorum: {rule, screen: ['policy/safety'], feedback_grace_ms: 500},
    ask: {model: worker},
    discuss: {
      participants: panel,
      moderator: worker,
      strategy: scene === 'debate' ? 'debate' : 'quorum',
    },
    debate: {max_rounds: 1},
    interview: {model: 'offline'},
    prices: Object.fromEntries(models.map((name) => [name, price])),
    limits: {
      max_model_calls: limits === 'calls' ? 6 : 100,
      max_cost_usd: limits === 'cost' ? 0.25 : 50,
      timeout_ms: 2_000_000_000,
    },
  };
}
