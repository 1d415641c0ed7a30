/** Commands that change the settings of the conversation. */

import {AppError} from '../../../machines/domain/app-error.ts';
import {ruleForms, ruleHelp, ruleSpellings, tryParseRule} from '../../../machines/panel/rule.ts';
import type {Texts} from '../../language.ts';
import {modelOverrides, roleNames} from '../../line/model-option.ts';
import type {Override} from '../../line/option.ts';
import {hilModes, scopes, strategies} from '../../line/options.ts';
import {errorTexts, meant} from '../../line/usage-error.ts';
import {bare, misread, readAs, type CommandSpec, type CommandTable} from '../command.ts';

function settings(name: string, values: Readonly<Record<string, string>>): readonly Override[] {
  return Object.entries(values).map(([key, value]) => ({key, value, source: name}));
}

function switchTo(
  name: string,
  summary: Texts,
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
  summary: Texts,
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
        return misread({
          en: `/${name} takes ${known}, not "${value}"${near.en}`,
          ja: `/${name} に "${value}" はありません。使えるのは ${known} です${near.ja}`,
        });
      }
      const full = `/${name} ${value}`;
      const values = Object.fromEntries(keys.map((key) => [key, value]));
      return readAs({kind: 'set', name: full, overrides: settings(full, values)});
    },
  };
}

const rule: CommandSpec = {
  takes: '[RULE]',
  summary: {
    en: `when the panel has decided: ${ruleSpellings}`,
    ja: `合議体の決定の規則: ${ruleSpellings}`,
  },
  operand: ruleForms.map(({start}) => start),
  read: (value) => {
    if (value === '') {
      return readAs({kind: 'setting', name: '/rule', key: 'quorum.rule', choices: [ruleHelp]});
    }
    if (!tryParseRule(value)) {
      return misread({
        en: `"${value}" is not a quorum rule; /rule takes ${ruleHelp}`,
        ja: `"${value}" は定足数の規則ではありません。/rule の後に書けるもの: ${ruleHelp}`,
      });
    }
    const overrides = settings(`/rule ${value}`, {'quorum.rule': value});
    return readAs({kind: 'set', name: `/rule ${value}`, overrides});
  },
};

const model: CommandSpec = {
  takes: '[[ROLE=]NAME]',
  summary: {
    en: 'the model for a role, or for all; without an operand: the models in use',
    ja: '一つの、またはすべての役割のモデル。引数がなければ使用中のモデル',
  },
  detail: {
    en: `Roles are ${roleNames.join(', ')}; review=a,b and participants=a,b name several. Running
interactions use the new model from their next call on.`,
    ja: `役割: ${roleNames.join(', ')}。複数のモデルは review=a,b と participants=a,b のように書きます。
実行中の対話は、次の呼び出しから新しいモデルを使います。`,
  },
  operand: roleNames.map((role) => `${role}=`),
  read: (value) => {
    if (value === '') return readAs({kind: 'models'});
    if (/\s/.test(value)) {
      return misread({
        en: '/model takes one ROLE=NAME; several models: review=a,b',
        ja: '/model の後に書けるのは一つの ROLE=NAME です。複数のモデル: review=a,b',
      });
    }
    try {
      const overrides = modelOverrides([value], '/model');
      return readAs({kind: 'set', name: `/model ${value}`, overrides});
    } catch (error) {
      if (error instanceof AppError) return misread(errorTexts(error));
      throw error;
    }
  },
};

export const settingCommands: CommandTable = {
  solo: switchTo(
    'solo',
    {en: 'one model plans', ja: '一つのモデルが計画する'},
    {'agent.consensus_level': 'solo', 'agent.strategy': 'quorum'},
  ),
  ens: switchTo(
    'ens',
    {
      en: 'each model of the panel drafts a plan, and the best one is used',
      ja: '合議体の各モデルが計画し、最良のものを使う',
    },
    {'agent.consensus_level': 'ensemble'},
  ),
  fast: switchTo(
    'fast',
    {
      en: 'only the policy reviewers vote: /scope fast',
      ja: 'ポリシーのレビュアーだけが投票する（/scope fast と同じ）',
    },
    {'agent.phase_scope': 'fast'},
  ),
  scope: choice(
    'scope',
    {en: 'how far a task is taken', ja: 'タスクをどこまで進めるか'},
    {keys: ['agent.phase_scope'], choices: scopes},
  ),
  strategy: choice(
    'strategy',
    {
      en: 'how a plan is challenged, and a question discussed',
      ja: '計画の吟味と、質問の議論の方法',
    },
    {keys: ['agent.strategy', 'discuss.strategy'], choices: strategies},
  ),
  rule,
  model,
  hil: choice(
    'hil',
    {en: "who decides when the panel can't", ja: '合議体が決められないときに決める人'},
    {keys: ['agent.hil_mode'], choices: hilModes},
  ),
};
