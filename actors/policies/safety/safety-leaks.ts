/** The rules of policy/safety about leaks: sending data out, reading credentials, writing secrets. */

import {passagesAt, textsAt} from '../../../machines/domain/tool-facts.ts';
import {isThisMachine, parseAddress} from '../../../machines/places/address.ts';
import {isCredentialPlace} from '../../../machines/places/places.ts';
import {namesSecretValue, secretIn} from '../../../machines/places/secrets.ts';
import type {Effect} from '../../../tools/commands/effect.ts';
import type {SimpleCommand} from '../../../tools/commands/understanding.ts';
import type {Word} from '../../../tools/commands/word.ts';
import type {Call} from '../call.ts';
import {isSubstituted, line} from '../command-words.ts';
import {callRule, effectText, type PolicyInput, type Rule} from '../rule.ts';
import {isUnnamed} from './wide-reads.ts';

export const leakRules: readonly Rule[] = [
  {
    id: 'send-out',
    refuses:
      'sending files, output or environment to another machine: `curl -d`, `curl -T`, `wget --post-file`, `scp`, `rsync` to a host, `nc`, `ssh`, `/dev/tcp`, `ping $(…)`',
    safer:
      'keep the data in the workspace and let a person send it; requests to this machine (localhost) are allowed',
    find: sent,
  },
  {
    id: 'read-credentials',
    refuses:
      'reading credentials: `~/.ssh`, private keys, `.env`, `.netrc`, `.aws/credentials`, `/etc/shadow`, `/proc/*/environ`, the environment (`env`, `printenv`, `echo $API_KEY`)',
    safer:
      'name the one setting that is needed and let a person provide it; read `.env.example` for the names',
    find: ({calls}) => calls.flatMap(credentialsRead),
  },
  callRule({
    id: 'secret-content',
    refuses:
      'writing text that looks like a secret: private keys, `AKIA…`, `sk-…`, `ghp_…`, `xox…`, `AIza…`, tokens in a URL',
    safer: 'read the secret from an environment variable at run time',
    of: writtenSecret,
  }),
];

function sent({calls}: PolicyInput): readonly string[] {
  return calls.flatMap(({effects, command, scripts}) => {
    const all = [...effects, ...scripts.flatMap((script) => script.effects)];
    const commands = [command, ...scripts].flatMap((one) => one?.commands ?? []);
    return [
      ...all.filter(({kind, target}) => kind === 'sends' && !isLocal(target)).map(effectText),
      ...commands.filter(carriesOut).map(({text}) => text),
    ];
  });
}

/** True for this machine, with or without a scheme and a port. */
function isLocal(target: string): boolean {
  const address = parseAddress(target);
  return address !== undefined && isThisMachine(address);
}

const senders =
  /^(?:scp|sftp|ftp|tftp|lftp|nc|ncat|netcat|socat|telnet|ssh|mail|mailx|mutt|sendmail|msmtp|rclone|croc|wormhole|ngrok|cloudflared|bore|s3cmd|mosquitto_pub)$/;
const netTools =
  /^(?:curl|wget2?|http|https|xh|httpie|ping|dig|nslookup|host|whois|traceroute|aria2c|lynx|links|w3m|openssl)$/;

/** Commands that are known to send data out, even if some of their words are not understood. */
function carriesOut(command: SimpleCommand): boolean {
  const {name, args, redirects} = command;
  if (redirects.some(({target}) => /^\/dev\/(?:tcp|udp)\//.test(target.text))) return true;
  if (senders.test(name)) return !asksForHelp(command) && !args.some(({text}) => isLocal(text));
  return netTools.test(name) && args.some((word) => isSubstituted(word) || showsSecret(word));
}

function asksForHelp({args}: SimpleCommand): boolean {
  return args.length > 0 && args.every(({text}) => /^(?:-V|-h|--version|--help)$/.test(text));
}

/** True for a variable such as `$API_KEY` whose value is not known. */
function showsSecret({known, text}: Word): boolean {
  return (
    !known && [...text.matchAll(/\$\{?(\w+)/g)].some(([, name = '']) => namesSecretValue(name))
  );
}

/** Addresses from which a cloud machine gets its own credentials. */
const metadata = /(?:^|\/)(?:169\.254\.169\.254|metadata\.google\.internal|\[?fd00:ec2::254)/i;

/** Excludes files that the call names in `credentials`: these cannot be judged by rule. */
function credentialsRead({effects, looksAt, command, args, facts}: Call): readonly string[] {
  const commands = command?.commands ?? [];
  const opened = new Set(textsAt(args, facts.opens).map((path) => path.replace(/^\.\//, '')));
  return [
    ...looksAt.filter(isCredentialPlace),
    ...(command?.effects ?? [])
      .filter((effect) => readsCredentials(effect) && !isUnnamed(effect, commands))
      .filter(({place}) => !opened.has(place?.path ?? ''))
      .map(effectText),
    ...effects
      .filter(({kind, target}) => /^(?:fetches|sends)$/.test(kind) && metadata.test(target))
      .map(effectText),
    ...commands.filter(printsSecrets).map(({text}) => text),
  ];
}

function readsCredentials({kind, place}: Effect): boolean {
  if (kind === 'reveals') return true;
  if (!place || place.holdsNoSecret) return false;
  // Running such a file counts as well: a program prints the line of code that it cannot parse.
  return /^(?:reads|moves|runs)$/.test(kind) && isCredentialPlace(place.path);
}

const secretStores =
  /^security find-|^gh auth token|^(?:aws|gcloud) .*(?:get-secret|export-credentials|print-access-token|get-session-token)|^(?:op|pass|vault) /;

function printsSecrets(command: SimpleCommand): boolean {
  const {name, args, redirects} = command;
  if (secretStores.test(line(command))) return true;
  const words = args.map(({text}) => text);
  if (name === 'printenv' && (words.length === 0 || words.some(namesSecretValue))) return true;
  if (/^(?:echo|printf|cat|tee|print)$/.test(name) && args.some(showsSecret)) return true;
  const inputs = redirects.filter(({operator}) => operator.startsWith('<'));
  return inputs.some(({target}) => isCredentialPlace(target.text));
}

function writtenSecret(call: Call): string | undefined {
  const {puts = [], replaces = []} = call.facts;
  const passages = new Set([puts, replaces].flat().map((name) => name.split('.')[0] ?? ''));
  const others = Object.entries(call.args)
    .filter(([name]) => !passages.has(name))
    .map(([, value]) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
  const texts = [...passagesAt(call.args, puts), ...others];
  const match = texts.map(secretIn).find((found) => found !== undefined);
  if (match === undefined) return undefined;
  return `${match.slice(0, 6)}… (${match.length} characters) in ${[call.tool, ...call.writes].join(' ')}`;
}
