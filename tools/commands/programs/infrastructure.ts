/** What describes machines and accounts elsewhere, and changes them. */

import type {Arguments, Invocation, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, has, ownFetch, withActs, withUnknown} from './refine.ts';

type Entry = Omit<Program, 'name'>;

const change: Entry = {options: '*', operands: 'text*', does: 'alters=infrastructure'};
const planOptions =
  '-out=writes -var=text -var-file=reads -target=text -destroy -refresh=text -refresh-only -input=text -no-color -detailed-exitcode -lock=text -compact-warnings -json -parallelism=text -replace=text';

export const infrastructure: readonly Program[] = [
  {
    name: ['terraform', 'tofu'],
    style: 'single',
    refine: elsewhere,
    options: '-chdir=from -version --version -help --help -v',
    subcommands: {
      '': {},
      plan: {style: 'single', options: planOptions, does: 'runs=a_plan loads=main.tf'},
      'validate version graph providers': {
        style: 'single',
        options: '-json -no-color',

        does: 'runs=a_plan',
      },
      fmt: {
        style: 'single',
        options: '-check -diff -recursive -list=text -write=text -no-color',
        operands: 'edits-tree*',
        when: {'-check': {operands: 'reads-tree*'}, '': {does: 'edits-tree=.'}},
      },
      'init get': {
        style: 'single',
        options:
          '-upgrade -input=text -no-color -backend=text -reconfigure -lockfile=text -get=text',
        does: 'installs=declared',
      },
      'show output': {
        style: 'single',
        options: '-json -no-color -raw',
        operands: 'text*',
        does: 'runs=a_plan',
        when: {'-json -raw': {operands: 'text*', does: 'reveals=outputs'}},
      },
      state: {
        subcommands: {
          list: {style: 'single', options: '-id=text -state=reads', operands: 'text*'},
          show: {style: 'single', options: '-no-color', operands: 'text*'},
          'rm mv push pull replace-provider': change,
        },
      },
      workspace: {subcommands: {'list show': {}, 'select new delete': change}},
      'apply destroy import taint untaint force-unlock login logout refresh test console': change,
    },
  },
  {
    name: ['ansible-playbook'],
    options:
      '-i|--inventory=code -C|--check -D|--diff --syntax-check --list-tasks --list-hosts --list-tags -l|--limit=text -t|--tags=text --skip-tags=text -e|--extra-vars=text -v|--verbose --version -b|--become -u|--user=text',
    operands: 'code*',
    does: 'alters=infrastructure',
    when: {
      '--version --syntax-check --list-tasks --list-hosts --list-tags': {operands: 'code*'},
      '-C --check': {operands: 'code*', does: 'runs=a_plan'},
    },
  },
  {
    name: 'ansible-lint',
    options: '--version -q --offline --strict -p',
    operands: 'reads-tree*',
    does: 'runs=a_linter',
  },
  {
    name: 'ansible-inventory',
    options: '-i|--inventory=code --list --graph --host=text -y',
    does: 'runs=a_plan',
  },
  {name: 'ansible-vault', options: '*', operands: 'text*', does: 'reveals=a_vault'},
  {
    name: 'ansible',
    options: '*',
    operands: 'text*',
    does: 'alters=infrastructure',
    refine: (reading, {args}) =>
      args.length === 1 && args[0]?.text === '--version' ? {acts: [], unknown: []} : reading,
  },
  {
    name: 'pulumi',
    options: '-s|--stack=text --non-interactive',
    subcommands: {
      preview: {options: '--diff --json -s|--stack=text', does: 'runs=a_plan'},
      'version about whoami': {},
      stack: {
        options: '--show-urns',
        subcommands: {'': {}, 'ls history': {}, 'rm init select export import output': change},
      },
      'up update destroy refresh import config cancel': change,
    },
  },
  {
    name: [
      'cdk',
      'sst',
      'serverless',
      'sls',
      'sam',
      'amplify',
      'copilot',
      'eksctl',
      'packer',
      'vagrant',
      'terragrunt',
    ],
    options: '--version',
    operands: 'text*',
    refine: deploying,
  },
  cloud('aws', {
    host: 'amazonaws.com',
    look: /^(?:\S+ (?:describe|list)-[\w-]+|s3 ls|sts get-caller-identity|configure list|logs (?:tail|filter-log-events)|cloudformation (?:get-template|validate-template)|s3api (?:list|head)-[\w-]+|lambda get-function-configuration|iam get-(?:user|role|policy)|ecs wait \S+|help)(?: |$)/,
    secret:
      /export-credentials|get-secret|get-parameter|session-token|login-password|authorization-token|password-data|get-login|assume-role|get-federation|access-key/,
  }),
  cloud('gcloud', {
    host: 'googleapis.com',
    look: /^(?:info|version|config (?:list|get(?:-value)?)|auth list|projects list|(?:(?!(?:delete|create|update|remove|add|set|unset|start|stop|reset|restart|deploy|ssh|scp|run|apply|import|export|move|resize|attach|detach|purge|invoke|call|submit|enable|disable|deallocate|restore|replace|rollback|promote|cancel|connect)\b)[\w-]+ ){1,3}(?:list|describe)|logging read)(?: |$)/,
    secret:
      /print-(?:access|identity)-token|versions access|get-credentials|application-default|keys/,
  }),
  cloud('gsutil', {
    host: 'googleapis.com',
    look: /^(?:ls|du|stat|version)(?: |$)/,
    secret: /signurl/,
  }),
  cloud('az', {
    host: 'azure.com',
    look: /^(?:version|account (?:show|list)|(?:(?!(?:delete|create|update|remove|add|set|unset|start|stop|reset|restart|deploy|ssh|scp|run|apply|import|export|move|resize|attach|detach|purge|invoke|call|submit|enable|disable|deallocate|restore|replace|rollback|promote|cancel|connect)\b)[\w-]+ ){1,3}(?:list|show))(?: |$)/,
    secret: /access-token|secret|keys|credential|connection-string|list-keys|password/,
  }),
  cloud('heroku', {
    host: 'heroku.com',
    look: /^(?:apps(?::info)?|ps|logs|releases|status|domains|addons|version|whoami|info|pg:info|pipelines|buildpacks)(?: |$)/,
    secret: /^config|auth:token|credentials/,
  }),
  cloud(['fly', 'flyctl'], {
    host: 'fly.io',
    look: /^(?:status|logs|apps list|releases|version|info|regions list|platform [\w-]+|machines? (?:list|status)|volumes list|secrets list|checks list)(?: |$)/,
    secret: /auth token|tokens|ssh console/,
  }),
  cloud(['vercel', 'vc'], {
    host: 'vercel.com',
    look: /^(?:ls|list|inspect|logs|whoami|projects? ls|domains ls|env ls|help)(?: |$)/,
    secret: /env pull/,
  }),
  cloud(['netlify', 'ntl'], {
    host: 'netlify.com',
    look: /^(?:status|sites:list|help)(?: |$)/,
    secret: /env:(?:get|list)/,
  }),
  cloud('wrangler', {
    host: 'cloudflare.com',
    look: /^(?:whoami|deployments list|kv namespace list|d1 list|r2 bucket list|versions list)(?: |$)/,
    secret: /secret get/,
  }),
  cloud(['firebase', 'supabase', 'railway', 'doctl', 'eb', 'render', 'surge'], {
    host: 'the_service',
    look: /^(?:projects:list|projects list|status|whoami|logs|--version|version|list|account get)(?: |$)/,
    secret: /secrets|variables|token/,
  }),
];

/** Data of a folder may run programs. Terraform asks for its own newest version, whatever it is called for. */
function elsewhere(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  const asks = name === 'terraform' ? [ownFetch('checkpoint-api.hashicorp.com')] : [];
  const folders = valuesOf(given, '-chdir').map((word) => act('code', word));
  return withActs(reading, ...folders, ...asks);
}

/** `cdk synth`, `sam validate`: what they look at; the rest reaches accounts. */
function deploying(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  const [verb] = given.operands;
  if (has(given, '--version') || /^(?:version|help)$/.test(verb?.text ?? '')) return reading;
  const isLook =
    /^(?:ls|list|diff|synth|validate|status|plan|print|info|doctor|fmt|inspect|global-status)$/.test(
      verb?.text ?? '',
    );
  return withActs(
    reading,
    isLook ? act('runs', `${name} ${verb?.text ?? ''}`) : act('alters', 'infrastructure'),
  );
}

/** Options of clients that stand before their commands, with a value. */
const settings =
  /^(?:--(?:profile|region|output|project|subscription|account|app|org|format|query|zone)|-[aog])$/;

/** The words that say what to do: before any option but those. */
function lineOf(args: readonly Word[]): string {
  const words: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const text = args[index]?.text ?? '';
    if (settings.test(text)) index += 1;
    else if (text.startsWith('-')) {
      if (words.length > 0) break;
    } else words.push(text);
  }
  return words.join(' ');
}

interface Service {
  readonly host: string;
  readonly look: RegExp;
  readonly secret: RegExp;
}

/** A client of a service: what it is told must be known, and hold no file. */
function cloud(name: string | readonly string[], {host, look, secret}: Service): Program {
  return {
    name,
    options: '*',
    operands: 'text*',
    refine: (reading, {args}) => {
      const told: Reading = {acts: [], unknown: reading.unknown};
      if (args.length > 0 && args.every(({text}) => /^(?:--?version|--?help|-[vh])$/.test(text)))
        return told;
      const line = lineOf(args);
      if (secret.test(args.map(({text}) => text).join(' ')))
        return withActs(told, act('reveals', 'credentials'));
      if (!look.test(line)) return withActs(told, act('alters', 'infrastructure'));
      const odd = args.find(isTelling);
      return odd
        ? withUnknown(told, odd.text, 'is told to the service')
        : withActs(told, ownFetch(host));
    },
  };
}

function isTelling({text, known, pattern}: Word): boolean {
  const isOption =
    /^--(?:endpoint|cli-input|debug|ca-bundle|access-token-file|flags-file|impersonate|json|body|config|env-file)/;
  return !known || pattern || /^@|=@|fileb?:\/\//.test(text) || isOption.test(text);
}
