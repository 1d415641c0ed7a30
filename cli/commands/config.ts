/**
 * `quorate config`: every setting and its source, and the key of this installation; with --trust, shows what the
 * folder wants to load, and trusts it; with --forget, removes permanent permissions; with --public-key, prints the key; with
 * --enroll, enrolls another machine in a journal that machines share.
 */

import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {PublicKey} from '../../actors/journal/signing-key.ts';
import {allowedText} from '../../machines/domain/allow-rule.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {t} from '../../machines/message.ts';
import type {ShownSetting} from '../config/explain.ts';
import {say} from '../language.ts';
import type {Parsed} from '../line/command.ts';
import {switchOption, wordOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {keyFolder, openJournal, sharedAddress} from '../past/open-journal.ts';
import {printReport, type Report} from '../render/report.ts';
import {oneLine} from '../render/text.ts';
import {write, type Environment, type Terminal} from '../terminal.ts';
import {command} from './define.ts';

export const config = command({
  summary: t`show every setting with its source; --forget: take back /always`,
  detail: t`Prints every setting as TOML: its meaning, its value, its source, and the models in effect where the named models
lack a key. Later sources win:

  1. defaults
  2. the user file      $XDG_CONFIG_HOME/quorate/config.toml (~/.config/quorate/config.toml)
  3. the project file   quorate.toml in the working folder
  4. the environment    QUORATE_SECTION_KEY, such as QUORATE_AGENT_HIL_MODE=auto_reject; lists with commas
  5. flags

A project file comes with somebody's code, so until you trust its content it may only tighten: lower limits, a stricter
rule, more reviews. Its loosening settings and its tools are ignored with a warning, and no MCP server of the folder is
started. --trust shows the settings that loosen something, the tools and the servers with their commands, and the SHA-256 of
quorate.toml and .mcp.json, and asks. The trust holds for this folder with exactly these files: one changed byte, an added or
a removed file ends it. Nothing is started. Without a terminal, --hash HASH trusts the folder if its files have this SHA-256,
with all 64 digits. Exit 0: trusted, or shown by --show. 1: the answer is no. 2: there is nothing to trust, another hash, or
no terminal to ask.

The permanent permissions of /always are in $XDG_CONFIG_HOME/quorate/allowed.toml. quorate config --forget COMMAND removes
one for the working folder: COMMAND is the allowed command, or its allowed first words. Open runs keep the permission.

The end of each run and the decisions of persons are signed with a key of this installation, which is made at first use.
quorate config --public-key prints its public part as PEM: a person needs it to check your runs with quorate verify.

The first machine that writes to a journal on PostgreSQL is enrolled in it. On an enrolled machine, quorate config --enroll KEY
--journal URL enrolls another one by its public key. Enrolled machines count as one installation: each continues what the others have
recorded, and accepts the decisions that persons make at them.`,
  obeys: ['output', 'models', 'rule', 'panel', 'phases', 'plans', 'tasks', 'limits'],
  options: {
    trust: switchOption(
      t`show what this folder wants to load (loosening settings, tools, MCP servers), and trust it`,
    ),
    show: switchOption(t`with --trust: only show`),
    hash: wordOption(
      'HASH',
      t`with --trust: trust without a question if the files have this SHA-256`,
    ),
    forget: wordOption('COMMAND', t`ask about this command again in the working folder`),
    'public-key': switchOption(t`print the public key of this installation as PEM`),
    enroll: wordOption(
      'KEY',
      t`enroll the machine with this public key in the journal that machines share`,
    ),
  },
  examples: [
    'quorate config --trust --show',
    'quorate config --forget "npm run deploy"',
    'quorate config --public-key > my-key.pem',
  ],
  run: async (given, terminal) => {
    const {options} = given;
    if (options.trust) {
      const {trustFolder} = await import('../config/trust-command.ts');
      return await trustFolder(given, terminal);
    }
    if (options.show) throw onlyTrust('show');
    if (options.hash !== undefined) throw onlyTrust('hash');
    if (options.forget !== undefined) return await forget(options.forget, given, terminal);
    if (options['public-key']) return await printKey(given, terminal);
    if (options.enroll !== undefined) return await enroll(options.enroll, given, terminal);
    return await printSettings(given, terminal);
  },
});

async function printSettings(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {cwd = '.', overrides} = parsed;
  const {env} = terminal;
  const {loadConfig} = await import('../config/load.ts');
  const {warn} = await import('../render/warning.ts');
  const {modelsInEffect, routerOf} = await import('../config/in-effect.ts');
  const {settingsText, signingKeyText} = await import('../config/explain.ts');
  const loaded = await loadConfig({cwd: resolve(cwd), env, overrides});
  await warn(loaded.warnings, terminal);
  const {models, problems} = modelsInEffect(loaded, routerOf(loaded, env));
  const data = loaded.explain().map((row): ShownSetting => {
    const inEffect = models[row.key];
    return inEffect === undefined ? row : Object.assign({inEffect}, row);
  });
  const key = parsed.output === 'text' ? await ownKey(env) : undefined;
  const lines: Report['lines'] = ({style}) => [
    `${settingsText(data, style)}\n${signingKeyText(key, style)}`.replace(/\n$/, ''),
  ];
  await printReport({data, lines}, parsed, terminal);
  await warn(problems, terminal);
  return 0;
}

function onlyTrust(option: string): Error {
  return usageError(t`--${option} is for quorate config --trust`);
}

/** The key, or why it can't be read. */
async function ownKey(env: Environment): Promise<PublicKey | string | undefined> {
  const {readOwnKey} = await import('../../actors/journal/signing-key.ts');
  try {
    return readOwnKey(keyFolder(env));
  } catch (error) {
    return toFailure(error).message;
  }
}

/** Makes a missing key. */
async function printKey(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {makePublicKey} = await import('../../actors/journal/signing-key.ts');
  const {id, pem} = makePublicKey(keyFolder(terminal.env));
  await printReport({data: {id, pem}, lines: () => [pem.trimEnd()]}, parsed, terminal);
  return 0;
}

/** `key`: PEM, or the base64 of its SPKI. */
async function enroll(key: string, parsed: Parsed, terminal: Terminal): Promise<number> {
  const {parsePublicKey} = await import('../../actors/journal/signing-key.ts');
  const {id, pem} = parsePublicKey(key);
  if ((await sharedAddress(terminal)) === undefined)
    throw usageError(t`--enroll needs a journal that machines share: --journal URL`);
  const {journal} = await openJournal(terminal);
  try {
    // It gives its own name when it first opens the journal.
    await journal.hosts?.enroll({id, name: id, key: pem});
    const machines = (await journal.hosts?.list()) ?? [];
    const names = machines.map(({id: each, name}) => (each === name ? each : `${name} (${each})`));
    const lines = names.map((name) => say(t`enrolled: ${oneLine(name, 200)}`, terminal));
    await printReport({data: machines, lines: () => lines}, parsed, terminal);
    return 0;
  } finally {
    await journal.close();
  }
}

async function forget(given: string, {cwd = '.'}: Parsed, terminal: Terminal): Promise<number> {
  const {forgetRules} = await import('../config/allowed.ts');
  const folder = await realpath(resolve(cwd));
  const forgotten = given.trim().replace(/ …$/, '');
  const rules = await forgetRules({folder, command: forgotten}, terminal.env);
  const lines = rules.map(allowedText).map((rule) => {
    return say(t`no longer allowed in ${folder}: ${rule}`, terminal);
  });
  await write(terminal.stdout, lines.map((line) => `${oneLine(line, 1000)}\n`).join(''));
  return 0;
}
