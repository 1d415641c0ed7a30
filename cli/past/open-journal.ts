/** Opens the journal of this person's runs. */

import {existsSync} from 'node:fs';
import {hostname} from 'node:os';
import {dirname, join} from 'node:path';

import type {
  EnrolledHost,
  Host,
  Hosts,
  Journal,
  LocalJournal,
} from '../../actors/journal/journal.ts';
import type {PostgresOptions} from '../../actors/journal/postgres/postgres.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type Message, t} from '../../machines/message.ts';
import {isBelow, realPathOf} from '../../tools/containment/guarded.ts';
import {claimState} from '../../tools/containment/own-state.ts';
import {dataFolder, userFile} from '../config/paths.ts';
import {say} from '../language.ts';
import {oneLine} from '../render/text.ts';
import type {Environment, Terminal} from '../terminal.ts';

/** `journal`: its address, if it was given. `stderr`: receives a note that the journal is locked. */
type Place = Pick<Terminal, 'env' | 'journal' | 'language'> & Partial<Pick<Terminal, 'stderr'>>;

const locked: Message = t`warning: another process keeps the journal locked; waiting until it is done, two minutes at most
`;

export function journalFile(env: Environment): string {
  return join(dataFolder(env), 'journal.db');
}

/** Of the key with which this installation signs. */
export function keyFolder(env: Environment): string {
  return join(dataFolder(env), 'keys');
}

export interface Opened {
  readonly journal: Journal;
  /** This machine, if others share the journal. */
  readonly host?: Host;
}

/** Throws AppError `io`, `newer_schema` or `journal_corrupt`, and `config` for an address that can't be used. */
export async function openJournal(place: Place): Promise<Opened> {
  const url = await sharedAddress(place);
  const local = await openLocal(place);
  if (url === undefined) return {journal: local};
  try {
    return await openShared(url, local, place);
  } catch (error) {
    await local.close();
    throw error;
  }
}

async function openLocal(place: Place): Promise<LocalJournal> {
  const {createSigner} = await import('../../actors/journal/signing-key.ts');
  const {createSqliteJournal} = await import('../../actors/journal/sqlite.ts');
  claimData(place.env);
  return createSqliteJournal(journalFile(place.env), {
    onLocked: () => noteLocked(place),
    sign: createSigner(keyFolder(place.env)),
  });
}

/** Rejects with AppError `config` unless this machine is enrolled. Its locks, child processes and keys stay in its own journal. */
async function openShared(url: string, local: LocalJournal, {env}: Place): Promise<Opened> {
  const {createSigner, makePublicKey} = await import('../../actors/journal/signing-key.ts');
  const keys = keyFolder(env);
  const {id, pem: key} = makePublicKey(keys);
  const shared = await connect({url, host: id, sign: createSigner(keys)});
  if (shared.hosts) await requireEnrolled(shared.hosts, {id, name: hostname(), key});
  const close = async (): Promise<void> => {
    await shared.close();
    await local.close();
  };
  return {journal: {...shared, close}, host: {...local.host, id}};
}

/** The first machine of a journal enrolls itself; the person who has it enrolls the others. */
async function requireEnrolled(hosts: Hosts, mine: EnrolledHost): Promise<void> {
  const known = (await hosts.list()).find(({id}) => id === mine.id);
  if (known?.name === mine.name) return;
  if (known) {
    await hosts.enroll(mine);
    return;
  }
  if (await hosts.found(mine)) return;
  const machines = await hosts.list();
  const names = oneLine(machines.map(({name}) => name).join(', '), 200);
  const key = mine.key.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  throw new AppError(
    'config',
    t`this machine is not enrolled in the journal; on a machine that is (${names}), run: quorate config --enroll ${key} --journal URL`,
  );
}

async function connect(options: PostgresOptions): Promise<Journal> {
  const {createPostgresJournal} = await import('../../actors/journal/postgres/postgres.ts');
  return await createPostgresJournal(options);
}

/** For commands that change nothing: works in a read-only folder, too. Throws the same. */
export async function openToRead(place: Place): Promise<Journal> {
  const url = await sharedAddress(place);
  if (url !== undefined) {
    const {readOwnKey} = await import('../../actors/journal/signing-key.ts');
    const {id: host} = readOwnKey(keyFolder(place.env)) ?? {};
    return await connect({url, ...(host === undefined ? {} : {host})});
  }
  const {readSqliteJournal} = await import('../../actors/journal/sqlite.ts');
  claimData(place.env);
  return readSqliteJournal(journalFile(place.env), {onLocked: () => noteLocked(place)});
}

/** Of the journal that machines share; undefined for that of this machine. Throws AppError `config`. */
export async function sharedAddress({journal, env}: Place): Promise<string | undefined> {
  if (journal !== undefined) return journal;
  const file = userFile(env);
  const isSet = env['QUORATE_JOURNAL_URL_ENV'] !== undefined || (await namesVariable(file));
  if (!isSet) return undefined;
  const {loadConfig} = await import('../config/load.ts');
  // Not that of the working folder: its author does not choose where runs are recorded.
  const {config} = await loadConfig({cwd: dirname(file), env});
  const {url_env: name} = config.journal;
  const url = name === '' ? undefined : env[name];
  if (name === '' || url !== undefined) return url;
  throw new AppError('config', t`journal.url_env names the variable ${name}, which is not set`);
}

/** Most files don't, and need not be understood before a run is shown. */
async function namesVariable(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const {readConfigFile} = await import('../config/file.ts');
  const file = await readConfigFile(path);
  return file?.text.includes('url_env') === true;
}

/** Closes the journal afterwards. Rejects as `openToRead` and `read`. */
export async function withJournal<T>(
  place: Place,
  read: (journal: Journal) => Promise<T>,
): Promise<T> {
  const journal = await openToRead(place);
  try {
    return await read(journal);
  } finally {
    await journal.close();
  }
}

/** Of a folder that contains the current one, only the files that are opened are claimed. */
function claimData(env: Environment): void {
  const folder = realPathOf(dataFolder(env)) ?? dataFolder(env);
  const here = process.cwd();
  if (here !== folder && !isBelow(folder, here)) claimState([folder]);
}

function noteLocked(place: Place): void {
  place.stderr?.write(say(locked, place));
}
