/** Who plans: one planner, or an ensemble of several. */

import type {EventObject, MachineContext} from 'xstate';

import {asChart, type ChartLogic, lookedUp} from '../../machine-type.ts';
import type {EnsembleInput} from './ensemble-state.ts';
import {ensembleMachine} from './ensemble.ts';
import {type PlanningInput, planningMachine, type PlanningOutput} from './planning.ts';

type PlannersInput = PlanningInput | EnsembleInput;
type PlannersLogic = ChartLogic<MachineContext, EventObject, PlannersInput, PlanningOutput>;

export const planningLogic: PlannersLogic = lookedUp((input: PlannersInput) =>
  asChart('planners' in input ? ensembleMachine : planningMachine),
);
