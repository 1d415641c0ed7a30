/** What policy/safety refuses because it takes control away: more rights, stopped machines, releases, switched-off checks. */

import {reachesNetwork} from '../../machines/domain/tool-facts.ts';
import {gitLine, hasOption, line, type LineTable, looksLike, settings} from './command-facts.ts';
import {callRule, commandRule, type Rule} from './rule.ts';
import type {Command} from './shell-commands.ts';

export const controlRules: readonly Rule[] = [
  commandRule({
    id: 'privilege',
    refuses:
      'becoming another user or leaving confinement: `sudo`, `su`, `doas`, `pkexec`, `chroot`, `nsenter`, `mount`, `docker run --privileged`',
    safer: 'do it with the rights at hand, or tell the person which command needs more',
    when: ({name, via, ...rest}) =>
      [...via, name].some((one) =>
        /^(?:sudo|sudoedit|su|doas|pkexec|runuser|gosu|chroot|nsenter|unshare|setpriv|mount|umount|visudo|passwd|useradd|usermod|insmod|modprobe)$/.test(
          one,
        ),
      ) ||
      (/^(?:docker|podman)$/.test(name) &&
        /--privileged|--pid[= ]host|(?:-v|--volume|--mount)[= ]?\S*(?:^|[ =])\/(?::|var\/run|etc|root|home)/.test(
          line({name, ...rest}),
        )),
  }),
  commandRule({
    id: 'system-control',
    refuses:
      'shutting down, and changing services or scheduled jobs: `shutdown`, `reboot`, `systemctl stop`, `crontab`, `launchctl`',
    safer: 'leave the machine and its services to a person',
    when: (command) =>
      /^(?:shutdown|reboot|halt|poweroff|telinit|crontab|at|batch|launchctl|sysctl|pmset)$/.test(
        command.name,
      ) ||
      /^init [06]$|^(?:systemctl|service|rc-service) .*(?:stop|start|restart|enable|disable|mask|poweroff|reboot|halt|kill|edit)\b/.test(
        line(command),
      ),
  }),
  commandRule({
    id: 'kill-all',
    refuses: 'ending processes by a broad name or all at once: `kill -1`, `killall`, `pkill`',
    safer: 'end one process that this run started, by its id',
    when: (command) =>
      /^(?:killall5?|pkill|skill|slay|taskkill)$/.test(command.name) ||
      (command.name === 'kill' && killsAll(command)),
  }),
  commandRule({
    id: 'publish',
    refuses:
      'publishing and releasing: `npm publish`, `cargo publish`, `twine upload`, `gem push`, `docker push`, `gh release create`, deployments',
    safer: 'prepare the release (`npm pack --dry-run`) and let a person publish it',
    when: (command) => !hasOption(command, '', '--dry-run') && publishing.test(line(command)),
  }),
  commandRule({
    id: 'disable-safeguards',
    refuses:
      'switching off checks: `--no-verify`, `core.hooksPath`, `HUSKY=0`, `curl -k`, `NODE_TLS_REJECT_UNAUTHORIZED=0`, `strict-ssl false`, firewalls',
    safer: 'keep the check and mend what it complains about',
    when: disablesSafeguards,
  }),
  callRule({
    id: 'unknown-effect',
    refuses:
      'tools that may reach beyond the workspace and whose name says that they delete, send, publish or pay',
    safer: 'let a person make this call, or use a tool that says what it touches',
    of: ({tool, facts}) => (reachesNetwork(facts) && drasticName.test(tool) ? tool : undefined),
  }),
];

const drasticName =
  /(?:^|[._-]|(?<=[a-z])(?=[A-Z]))(?:delete|drop|remove|destroy|purge|wipe|erase|truncate|send|publish|upload|deploy|transfer|pay|refund|revoke|kill|exec)(?=$|[._-]|[A-Z])/i;

function killsAll(command: Command): boolean {
  const texts = command.args.map(({text}) => text);
  const targets = texts.slice((texts[0] ?? '').startsWith('-') && texts.length > 1 ? 1 : 0);
  return (
    targets.some((text) => /^(?:-1|0|1|-0)$/.test(text)) ||
    command.args.some(({text}) => text === '$$' || text === '$PPID')
  );
}

const publishing =
  /^(?:(?:npm|pnpm|yarn|bun)(?: npm)? (?:publish|unpublish|deprecate|dist-tag|owner|access|token|login)|lerna publish|changeset publish|semantic-release|release-it|np\b|cargo (?:publish|yank|owner|login)|twine upload|(?:python\d? -m )?twine upload|gem (?:push|yank)|(?:poetry|uv|flit|hatch|pdm|rye) publish|docker push|podman push|helm push|mvn .*deploy|gradle\w* .*publish|goreleaser release|gh (?:release (?:create|edit|upload)|pr merge|workflow run)|vsce publish|ovsx publish|jsr publish|deno publish|(?:vercel|netlify|firebase|wrangler|fly|flyctl|gcloud app|eb|serverless|sls|cdk) deploy|vercel --prod|terraform apply|tofu apply|pulumi up|kubectl (?:apply|rollout|set image)|helm (?:install|upgrade))/;

const unsafeVariables =
  /^(?:NODE_TLS_REJECT_UNAUTHORIZED=['"]?0|PYTHONHTTPSVERIFY=['"]?0|GIT_SSL_NO_VERIFY=|HUSKY=['"]?0|HUSKY_SKIP_HOOKS=|SKIP=|LEFTHOOK=['"]?0)/;

const unsafeLines: LineTable = [
  [/^git$/, /\s--no-verify\b|sslverify[= ]+(?:false|0)|core\.hookspath/i],
  [/^wget2?$/, /--no-(?:check-certificate|hsts)/],
  [/^(?:npm|pnpm|yarn)$/, /strict-ssl[= ]+['"]?false|config set (?:registry|ignore-scripts false)/],
  [/^(?:pip3?|uv)$/, /--trusted-host/],
  [/^(?:ssh|scp)$/, /StrictHostKeyChecking=(?:no|accept)/i],
  [
    /^(?:setenforce|ufw|iptables|nft|csrutil|spctl|aa-teardown)$/,
    /^(?:setenforce 0|ufw disable|iptables .*-F|nft flush|csrutil disable|spctl --master-disable|aa-teardown)/,
  ],
];

function disablesSafeguards(command: Command): boolean {
  if (settings(command).some((value) => unsafeVariables.test(value))) return true;
  if (/^commit\b.*\s-[a-z]*n/.test(gitLine(command))) return true;
  const isCurl = command.name === 'curl';
  if (isCurl && hasOption(command, 'k', '--insecure', '--proxy-insecure')) return true;
  return looksLike(command, unsafeLines);
}
