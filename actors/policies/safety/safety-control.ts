/** The rules of policy/safety about loss of control: more rights, stopped machines, releases, disabled checks. */

import {reachesNetwork} from '../../../machines/domain/tool-facts.ts';
import type {Effect} from '../../../tools/commands/effect.ts';
import type {SimpleCommand} from '../../../tools/commands/understanding.ts';
import {isPush} from '../allowances.ts';
import type {Call} from '../call.ts';
import {gitWords, hasOption, line, type LineTable, looksLike, settings} from '../command-words.ts';
import {callRule, commandOf, commandRule, effectRule, type Rule} from '../rule.ts';
import {destroysInfrastructure} from './safety-destruction.ts';

export const controlRules: readonly Rule[] = [
  commandRule({
    id: 'privilege',
    refuses:
      'becoming another user or leaving confinement: `sudo`, `su`, `doas`, `pkexec`, `chroot`, `nsenter`, `mount`, `docker run --privileged`',
    safer: 'use the rights that you have, or report which command needs more',
    when: gainsRights,
  }),
  commandRule({
    id: 'system-control',
    refuses:
      'shutting down, and changing services or scheduled jobs: `shutdown`, `reboot`, `systemctl stop`, `crontab`, `launchctl`',
    safer: 'leave the machine and its services to a person',
    when: controlsSystem,
  }),
  commandRule({
    id: 'kill-all',
    refuses: 'ending processes by a broad name or all at once: `kill -1`, `killall`, `pkill`',
    safer: 'leave processes that this run did not start to a person',
    when: killsMany,
  }),
  effectRule({
    id: 'other-process',
    refuses: 'ending or signalling single processes that the command did not start: `kill 4711`',
    safer: 'leave processes that this run did not start to a person',
    when: (effect, call) => effect.kind === 'signals' && !commandsOf(effect, call).some(killsMany),
  }),
  {
    id: 'publish',
    refuses:
      'publishing and releasing: `npm publish`, `cargo publish`, `twine upload`, `gem push`, `docker push`, `gh release create`, deployments',
    safer: 'prepare the release (`npm pack --dry-run`) and let a person publish it',
    find: ({calls}) => calls.flatMap(published),
  },
  effectRule({
    id: 'outside-change',
    refuses:
      'changing services, containers, databases, accounts and machine settings outside the workspace',
    safer: 'show what would be changed, and let a person change it',
    when: (effect, call) => effect.kind === 'alters' && !isNamedOtherwise(effect, call),
  }),
  {
    id: 'disable-safeguards',
    refuses:
      'disabling checks: `--no-verify`, `core.hooksPath`, `HUSKY=0`, `curl -k`, `NODE_TLS_REJECT_UNAUTHORIZED=0`, `strict-ssl false`, firewalls',
    safer: 'keep the check and fix the problem that it reports',
    find: ({calls}) =>
      calls.flatMap(({command, scripts}) =>
        [command, ...scripts].flatMap((one) =>
          (one?.commands ?? []).filter(disablesSafeguards).map(({text}) => text),
        ),
      ),
  },
  callRule({
    id: 'unknown-effect',
    refuses:
      'tools that may reach beyond the workspace and whose name says that they delete, send, publish or pay',
    safer: 'let a person make this call, or use a tool that declares what it reaches',
    of: ({tool, facts}) => (reachesNetwork(facts) && drasticName.test(tool) ? tool : undefined),
  }),
];

const drasticName =
  /(?:^|[._-]|(?<=[a-z])(?=[A-Z]))(?:delete|drop|remove|destroy|purge|wipe|erase|truncate|send|publish|upload|deploy|transfer|pay|refund|revoke|kill|exec)(?=$|[._-]|[A-Z])/i;

const rights =
  /^(?:sudo|sudoedit|su|doas|pkexec|runuser|gosu|chroot|nsenter|unshare|setpriv|umount|visudo|passwd|useradd|usermod|insmod|modprobe)$/;

function gainsRights(command: SimpleCommand): boolean {
  const {name, args} = command;
  if (rights.test(name)) return !args.some(({text}) => /^--(?:version|help)$/.test(text));
  if (name === 'mount') return args.length > 0;
  return (
    /^(?:docker|podman)$/.test(name) &&
    /--privileged|--pid[= ]host|(?:-v|--volume|--mount)[= ]?\S*(?:^|[ =])\/(?::|var\/run|etc|root|home)/.test(
      line(command),
    )
  );
}

function controlsSystem(command: SimpleCommand): boolean {
  const {name, args} = command;
  if (name === 'crontab' || name === 'at') return !args.some(({text}) => /^-[lV]$/.test(text));
  if (/^(?:shutdown|reboot|halt|poweroff|telinit|batch|launchctl|pmset)$/.test(name)) return true;
  if (name === 'sysctl') return args.some(({text}) => /^-[wp]|=/.test(text));
  return /^init [06]$|^(?:systemctl|service|rc-service) .*(?:stop|start|restart|enable|disable|mask|poweroff|reboot|halt|kill|edit)\b|^tmux kill-server\b/.test(
    line(command),
  );
}

function killsMany(command: SimpleCommand): boolean {
  if (/^(?:killall5?|pkill|skill|slay|taskkill)$/.test(command.name)) {
    return !command.args.every(({text}) => /^(?:-l|-V|--list|--version|--help)$/.test(text));
  }
  if (command.name !== 'kill') return false;
  const texts = command.args.map(({text}) => text);
  const targets = texts.slice((texts[0] ?? '').startsWith('-') && texts.length > 1 ? 1 : 0);
  return targets.some((text) => /^(?:-1|0|1|-0|\$\$|\$PPID)$/.test(text));
}

const publishing =
  /^(?:(?:npm|pnpm|yarn|bun)(?: npm)? (?:-\S+ )*(?:publish|unpublish|deprecate|dist-tag|owner|access|token|login)|lerna publish|changeset publish|semantic-release|release-it|cargo (?:publish|yank|owner|login)|twine upload|(?:python\d? -m )?twine upload|gem (?:push|yank)|(?:poetry|uv|flit|hatch|pdm|rye) publish|docker (?:image )?push|podman push|helm push|mvn .*deploy|gradle\w* .*publish|goreleaser release|gh (?:release (?:create|edit|upload)|pr merge|workflow run|repo create)|vsce publish|ovsx publish|jsr publish|deno publish|(?:vercel|netlify|firebase|wrangler|fly|flyctl|gcloud app|eb|serverless|sls|cdk) deploy|vercel --prod|terraform apply|tofu apply|pulumi up|kubectl (?:\S+ )*(?:apply|rollout|set image)|helm (?:-\S+ \S+ )*(?:install|upgrade))/;

/** Uses the table of programs, and patterns for programs that are not in it. Not `git push`, which policy/scope judges. */
function published({effects, command}: Call): string[] {
  const known = effects.filter((effect) => effect.kind === 'publishes' && !isPush(effect));
  const named = (command?.commands ?? []).filter(
    (one) => publishing.test(line(one)) && !isTrial(one),
  );
  return [...known.map(({by}) => by), ...named.map(({text}) => text)];
}

function isTrial(command: SimpleCommand): boolean {
  return hasOption(command, command.name === 'cargo' ? 'n' : '', '--dry-run');
}

/** True if a more specific rule refuses the command. */
function isNamedOtherwise(effect: Effect, call: Call): boolean {
  const others = [destroysInfrastructure, gainsRights, controlsSystem, disablesSafeguards];
  return commandsOf(effect, call).some((command) => others.some((names) => names(command)));
}

function commandsOf(effect: Effect, call: Call): readonly SimpleCommand[] {
  const command = commandOf(effect, call);
  return command ? [command] : [];
}

const unsafeVariables =
  /^(?:NODE_TLS_REJECT_UNAUTHORIZED=['"]?0|PYTHONHTTPSVERIFY=['"]?0|GIT_SSL_NO_VERIFY=|HUSKY=['"]?0|HUSKY_SKIP_HOOKS=|SKIP=|LEFTHOOK=['"]?0|npm_config_strict_ssl=['"]?(?:false|0|$))/i;

const unsafeLines: LineTable = [
  [/^git$/, /sslverify[= ]+(?:false|0)|core\.hookspath/i],
  [/^wget2?$/, /--no-(?:check-certificate|hsts)/],
  [/^(?:npm|pnpm|yarn)$/, /strict-ssl[= ]+['"]?false|config set (?:registry|ignore-scripts false)/],
  [/^(?:pip3?|uv)$/, /--trusted-host/],
  [/^(?:ssh|scp)$/, /StrictHostKeyChecking=(?:no|accept)/i],
  [
    /^(?:setenforce|ufw|iptables|nft|csrutil|spctl|aa-teardown)$/,
    /^(?:setenforce 0|ufw .*(?:disable|reset)|iptables .*-F|nft flush|csrutil disable|spctl --master-disable|aa-teardown)/,
  ],
];

/** True for reading a setting: `git config core.hooksPath`, `git config --get NAME`. */
function asksForSetting(command: SimpleCommand): boolean {
  const [verb, ...words] = gitWords(command);
  if (verb !== 'config') return false;
  const [first, ...more] = words.filter(
    (word) => !/^--(?:global|local|system|worktree)$/.test(word),
  );
  if (first === undefined) return false;
  if (/^(?:-l|--list|--get|--get-all|--get-regexp|get|list)$/.test(first)) return true;
  return more.length === 0 && !first.startsWith('-');
}

function disablesSafeguards(command: SimpleCommand): boolean {
  if (asksForSetting(command)) return false;
  if (settings(command).some((value) => unsafeVariables.test(value))) return true;
  if (skipsHooks(gitWords(command))) return true;
  const isCurl = command.name === 'curl';
  if (isCurl && hasOption(command, 'k', '--insecure', '--proxy-insecure')) return true;
  return looksLike(command, unsafeLines);
}

/** True for `--no-verify` or a prefix of it, and for `-n` of a commit, alone or in a cluster; not for text of a message. */
function skipsHooks([verb = '', ...words]: readonly string[]): boolean {
  const options = words.filter((_, at) => !/^-[a-zA-Z]*[mFCct]$/.test(words[at - 1] ?? ''));
  if (options.some((word) => word.length > 6 && '--no-verify'.startsWith(word))) return true;
  return verb === 'commit' && options.some((word) => /^-[^-mFCctu]*n/.test(word));
}
