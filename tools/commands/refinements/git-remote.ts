/** Subcommands of git that contact other repositories, and git's configuration. */

import type {Act, Arguments, Invocation, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {keepsBothSides} from './git-sides.ts';
import {act, after, has, ownFetch, withActs, withUnknown} from './refine.ts';

export const gitRemote: Refinements = {
  fetchesRemote: fetches,
  mergesRemote: (reading, call, given) => {
    const [remote] = given.operands;
    const isNamed = !remote || /^[\w-][\w.-]*$/.test(remote.text);
    const result = keepsBothSides(fetches(reading, call, given), call, given);
    return isNamed
      ? result
      : withUnknown(result, remote.text, 'is merged from no remote of this repository');
  },
  clones,
  pushes,
  configures,
};

/** Settings that only affect git's output, or its automatic handling of the user's own branches. */
const harmless =
  /^(?:user\.(?:name|email)|author\.(?:name|email)|committer\.(?:name|email)|color\.[\w.]+|advice\.\w+|core\.(?:quotepath|autocrlf|eol|abbrev|ignorecase|filemode|longpaths)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|fetch\.prune|merge\.conflictstyle|diff\.(?:algorithm|renames|renamelimit|nameonly|noprefix|mnemonicprefix|colormoved|context)|log\.(?:date|decorate|follow|abbrevcommit)|status\.\w+|column\.\w+|grep\.(?:linenumber|patterntype)|rebase\.(?:autostash|autosquash)|rerere\.enabled|branch\.sort|tag\.sort|format\.pretty|pager\.\w+=false|core\.pager=(?:cat)?|core\.editor=(?:true|:|cat)|sequence\.editor=(?:true|:|cat)|core\.fsmonitor=false)$/i;

/** `-c NAME=VALUE`, or a stored setting. */
export function isHarmlessSetting(name: string, value: string): boolean {
  return harmless.test(name) || harmless.test(`${name}=${value}`);
}

/** `config NAME`, `config get NAME` look; `config NAME VALUE`, `config set NAME VALUE` change. */
function configures(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const verb = /^(?:get|list|set|unset)$/.exec(given.operands[0]?.text ?? '')?.[0];
  const [name, value] = verb ? given.operands.slice(1) : given.operands;
  const isLook = has(given, '--get --get-all --get-regexp --get-urlmatch -l --list');
  const changes = verb ? verb.endsWith('set') : value !== undefined && !isLook;
  if (!changes && !has(given, '--add --replace-all --unset --unset-all')) return reading;
  if (has(given, '--global --system')) return withActs(reading, act('alters', 'git for this user'));
  return withActs(reading, kept(name, value));
}

function kept(name: Word | undefined, value = wordOf('')): Act {
  return name?.known && value.known && isHarmlessSetting(name.text, value.text)
    ? act('records', `git config ${name.text}`)
    : act('edits', '.git/config');
}

function fetches(reading: Reading, call: Invocation, {operands}: Arguments): Reading {
  const [remote, ...references] = operands;
  const open = references.find(({known, pattern}) => !known || pattern);
  if (open) return withUnknown(reading, open.text, 'is sent to the remote repository');
  const overwrites = references.filter(({text}) => /^\+.*:/.test(text));
  return withActs(
    remote ? reached(reading, remote) : withActs(reading, ownFetch('origin')),
    ...overwrites.map((word) => act('discards', word)),
  );
}

/** The name of a remote, an address, or a folder. */
function reached(reading: Reading, remote: Word): Reading {
  const {text} = remote;
  if (/^[\w-]*::|:\/\/-|^-/.test(text))
    return withUnknown(reading, text, 'runs a program of its own');
  if (/^(?:https?|ssh|git):\/\/|^[\w.-]+@[\w.-]+:/.test(text))
    return withActs(reading, act('fetches', remote));
  if (text.startsWith('file:'))
    return withActs(reading, act('reads-tree', after(remote, 'file://'.length)));
  // The configuration gives its address.
  if (/^[\w-][\w.-]*$/.test(text) && remote.known) return withActs(reading, ownFetch(text));
  return /^(?:\.{0,2}\/|~)/.test(text)
    ? withActs(reading, act('reads-tree', remote))
    : withUnknown(reading, text, 'is not a known remote repository');
}

function clones(reading: Reading, _call: Invocation, {operands}: Arguments): Reading {
  const [source, folder] = operands;
  if (!source) return reading;
  const name = /([^/:]+?)(?:\.git)?\/*$/.exec(source.text)?.[1] ?? '.';
  return withActs(
    reached(reading, source),
    act('installs', source),
    act('writes-tree', folder ?? {...source, text: name}),
  );
}

function pushes(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const [remote, ...references] = given.operands;
  const isLost =
    has(given, '-f --force --force-with-lease --force-if-includes --mirror -d --delete --prune') ||
    references.some(({text}) => /^[+:]/.test(text));
  const acts: Act[] = isLost ? [act('discards', 'what the remote repository holds')] : [];
  if (has(given, '--no-verify')) acts.push(act('alters', 'safeguards: git push --no-verify'));
  const open = given.operands.find(({known, pattern}) => !known || pattern);
  if (open)
    return withUnknown(withActs(reading, ...acts), open.text, 'is sent to the remote repository');
  if (remote && !/^[\w-][\w.-]*$/.test(remote.text))
    return withActs(reading, ...acts, act('sends', remote));
  return withActs(reading, ...acts, act('publishes', `git push ${remote?.text ?? ''}`.trim()));
}
