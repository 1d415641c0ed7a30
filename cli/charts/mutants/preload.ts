/**
 * Loaded into every Node process of the tests, before their own code: makes XState create one machine with a change. Changes
 * no file: XState's main module is loaded with one more line, which replaces its `createMachine`.
 */

import {appendFileSync, readFileSync} from 'node:fs';
import {type LoadFnOutput, registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';

import type {AnyStateMachine} from 'xstate';

import type {ChartConfig} from '../../../machines/testing/mutants/config.ts';
import type {Builders} from '../../../machines/testing/mutants/mutant.ts';
import {configWith} from '../../../machines/testing/mutants/mutations.ts';
import {creatorSymbol, markOf, type MutantOrder, orderVariable} from './order.ts';

type Create = (
  config: ChartConfig,
  implementations?: AnyStateMachine['implementations'],
) => AnyStateMachine;

/** `builders` are available once XState is loaded. */
function createdBy(order: MutantOrder): (create: Create, builders: () => Builders) => Create {
  return (create, builders) => (config, implementations) => {
    const machine = create(config, implementations);
    const {id, digest} = order.machine;
    if (machine.id !== id || markOf(machine).digest !== digest) return machine;
    const {mutant} = order;
    const changed = mutant === undefined ? config : configWith(machine, builders(), mutant);
    if (!changed) return machine;
    appendFileSync(order.madeFile, '.');
    return create(changed, implementations);
  };
}

const mainModule = /\/xstate\/dist\/xstate(?:\.development)?\.(esm|cjs)\.js(?:[?#]|$)/;
const creator = `globalThis[Symbol.for(${JSON.stringify(creatorSymbol.description)})]`;

/** Throws for a version of XState whose main module has an unknown form. */
function sourceWithCreator(url: string, form: string, loaded: LoadFnOutput): string {
  const source = loaded.source
    ? sourceText(loaded.source)
    : readFileSync(fileURLToPath(url), 'utf8');
  if (!/^function createMachine\(/m.test(source)) {
    throw new Error(`quorate mutants cannot change the machines of this version of XState: ${url}`);
  }
  if (form === 'cjs') {
    return `${source}\nexports.createMachine = createMachine = ${creator}(createMachine, () => exports);\n`;
  }
  return `${source}
import * as quorateXState from ${JSON.stringify(url)};
createMachine = ${creator}(createMachine, () => quorateXState);
`;
}

function sourceText(source: NonNullable<LoadFnOutput['source']>): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

const {[orderVariable]: text} = process.env;
if (text !== undefined) {
  const order: MutantOrder = JSON.parse(text);
  Object.assign(globalThis, {[creatorSymbol]: createdBy(order)});
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      const [, form] = mainModule.exec(url) ?? [];
      return form === undefined
        ? loaded
        : {...loaded, source: sourceWithCreator(url, form, loaded)};
    },
  });
}
