/** Commands that change the settings of the conversation. */

import {AppError} from '../../machines/domain/app-error.ts';
import {type Message, t} from '../../machines/message.ts';
import {ruleForms, ruleHelp, ruleSpellings, tryParseRule} from '../../machines/panel/rule.ts';
import type {Override} from '../line/command.ts';
import {hilModes, modelOverrides, roleNames, scopes, strategies} from '../line/options.ts';
import {meant} from '../line/usage-error.ts';
import {bare, misread, readAs, type CommandSpec, type CommandTable} from './command.ts';

function settings(name: string, values: Readonly<Record<string, string>>): readonly Override[] {
  return Object.entries(values).map(([key, value]) => ({key, value, source: name}));
}

function switchTo(
  name: string,
  summary: Message,
  values: Readonly<Record<string, string>>,
): CommandSpec {
  return bare(name, summary, {
    kind: 'set',
    name: `/${name}`,
    overrides: settings(`/${name}`, values),
  });
}

function choice(
  name: string,
  summary: Message,
  {keys, choices}: {readonly keys: readonly string[]; readonly choices: readonly string[]},
): CommandSpec {
  return {
    takes: `[${choices.join('|')}]`,
    summary,
    operand: choices,
    read: (value) => {
      const [first = ''] = keys;
      if (value === '') return readAs({kind: 'setting', name: `/${name}`, key: first, choices});
      if (!choices.includes(value)) {
        const [known, near] = [choices.join(', '), meant(value, choices)];
        return misread(t`/${name} takes ${known}, not "${value}"${near}`);
      }
      const full = `/${name} ${value}`;
      const values = Object.fromEntries(keys.map((key) => [key, value]));
      return readAs({kind: 'set', name: full, overrides: settings(full, values)});
    },
  };
}

const rule: CommandSpec = {
  takes: '[RULE]',
  summary: t`when the panel has decided: ${ruleSpellings}`,
  operand: ruleForms.map(({start}) => start),
  read: (value) => {
    if (value === '') {
      return readAs({kind: 'setting', name: '/rule', key: 'quorum.rule', choices: [ruleHelp]});
    }
    if (!tryParseRule(value)) {
      return misread(t`"${value}" is not a quorum rule; /rule takes ${ruleHelp}`);
    }
    const overrides = settings(`/rule ${value}`, {'quorum.rule': value});
    return readAs({kind: 'set', name: `/rule ${value}`, overrides});
  },
};

const model: CommandSpec = {
  takes: '[[ROLE=]NAME]',
  summary: t`the model for a role, or for all; without an operand: the models in use`,
  detail: t`Roles are ${roleNames.join(', ')}; review=a,b and participants=a,b name several. Running
interactions use the new model from their next call on.`,
  operand: roleNames.map((role) => `${role}=`),
  read: (value) => {
    if (value === '') return readAs({kind: 'models'});
    if (/\s/.test(value)) {
      return misread(t`/model takes one ROLE=NAME; several models: review=a,b`);
    }
    try {
      const overrides = modelOverrides([value], '/model');
      return readAs({kind: 'set', name: `/model ${value}`, overrides});
    } catch (error) {
      if (error instanceof AppError) return misread(error.wording);
      throw error;
    }
  },
};

export const settingCommands: CommandTable = {
  solo: switchTo('solo', t`one model plans`, {
    'agent.consensus_level': 'solo',
    'agent.strategy': 'quorum',
  }),
  ens: switchTo('ens', t`each model of the panel drafts a plan, and the best one is used`, {
    'agent.consensus_level': 'ensemble',
  }),
  fast: switchTo('fast', t`only the policy reviewers vote: /scope fast`, {
    'agent.phase_scope': 'fast',
  }),
  scope: choice('scope', t`how far a task is taken`, {
    keys: ['agent.phase_scope'],
    choices: scopes,
  }),
  strategy: choice('strategy', t`how a plan is challenged, and a question discussed`, {
    keys: ['agent.strategy', 'discuss.strategy'],
    choices: strategies,
  }),
  rule,
  model,
  hil: choice('hil', t`who decides when the panel can't`, {
    keys: ['agent.hil_mode'],
    choices: hilModes,
  }),
};
