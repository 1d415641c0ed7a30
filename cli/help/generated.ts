/** The help topics that are generated from the program's own data. */

import {fold, entry} from './fold.ts';

export async function offlineTopic(): Promise<string> {
  const {offlineHelp} = await import('./offline.ts');
  return fold(offlineHelp());
}

export async function policiesTopic(): Promise<string> {
  const {diffRules, policyRules} = await import('../../actors/policies/index.ts');
  const lists = Object.entries(Object.groupBy(policyRules, ({policy}) => policy)).map(
    ([policy, rules = []]) =>
      `policy/${policy}\n\n${rules.map(({id, refuses}) => entry(id, refuses)).join('\n')}`,
  );
  return `The policy reviewers decide by rule, without a model. They look at every plan and every call before the panel does; what
one of them refuses is over at once, unless a person overrules it. They judge a command by what it is understood to do. What
they do not understand they can't judge: the models that vote are told so, and where none votes, a person decides. It is
approved where the command runs confined and what it changes can be taken back. What each refuses:

${lists.join('\n\n')}

In a diff (quorate review) they look at the lines that are added; what is minor is remarked on, and refuses nothing:

${diffRules.map(({id, refuses, severity}) => entry(id, `${refuses} (${severity})`)).join('\n')}

They read commands as a shell does, and follow package scripts and shell scripts into their text; they run nothing.
`;
}

export async function settingsTopic(): Promise<string> {
  const {settingsReference} = await import('../../actors/config/reference.ts');
  const sections = Object.entries(
    Object.groupBy(settingsReference(), ({key}) => key.split('.')[0] ?? ''),
  ).map(([section, rows = []]) => {
    const entries = rows.map(({key, takes, default: value, text}) =>
      entry(`${key} = ${value === '' ? '…' : value}`, takes === '' ? text : `${text} (${takes})`),
    );
    return `[${section}]\n${entries.join('\n')}`;
  });
  return `Every setting with its default; quorate config shows what is set, and where. Files are TOML: a key below its [section].

${sections.join('\n\n')}
`;
}
