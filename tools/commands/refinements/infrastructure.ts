/** Programs that describe or change machines and accounts elsewhere. */

import type {Arguments, Invocation, Reading, Refine, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, has, ownFetch, withActs, withUnknown} from './refine.ts';

export const infrastructure: Refinements = {
  terraformFolder: elsewhere,
  ansibleVersion: (reading, {args}) =>
    args.length === 1 && args[0]?.text === '--version' ? {acts: [], unknown: []} : reading,
  deploys: deploying,
  looksAtAws: cloud({
    host: 'amazonaws.com',
    look: /^(?:\S+ (?:describe|list)-[\w-]+|s3 ls|sts get-caller-identity|configure list|logs (?:tail|filter-log-events)|cloudformation (?:get-template|validate-template)|s3api (?:list|head)-[\w-]+|lambda get-function-configuration|iam get-(?:user|role|policy)|ecs wait \S+|help)(?: |$)/,
    secret:
      /export-credentials|get-secret|get-parameter|session-token|login-password|authorization-token|password-data|get-login|assume-role|get-federation|access-key/,
  }),
  looksAtGoogleCloud: cloud({
    host: 'googleapis.com',
    look: /^(?:info|version|config (?:list|get(?:-value)?)|auth list|projects list|(?:(?!(?:delete|create|update|remove|add|set|unset|start|stop|reset|restart|deploy|ssh|scp|run|apply|import|export|move|resize|attach|detach|purge|invoke|call|submit|enable|disable|deallocate|restore|replace|rollback|promote|cancel|connect)\b)[\w-]+ ){1,3}(?:list|describe)|logging read)(?: |$)/,
    secret:
      /print-(?:access|identity)-token|versions access|get-credentials|application-default|keys/,
  }),
  looksAtGoogleStorage: cloud({
    host: 'googleapis.com',
    look: /^(?:ls|du|stat|version)(?: |$)/,
    secret: /signurl/,
  }),
  looksAtAzure: cloud({
    host: 'azure.com',
    look: /^(?:version|account (?:show|list)|(?:(?!(?:delete|create|update|remove|add|set|unset|start|stop|reset|restart|deploy|ssh|scp|run|apply|import|export|move|resize|attach|detach|purge|invoke|call|submit|enable|disable|deallocate|restore|replace|rollback|promote|cancel|connect)\b)[\w-]+ ){1,3}(?:list|show))(?: |$)/,
    secret: /access-token|secret|keys|credential|connection-string|list-keys|password/,
  }),
  looksAtHeroku: cloud({
    host: 'heroku.com',
    look: /^(?:apps(?::info)?|ps|logs|releases|status|domains|addons|version|whoami|info|pg:info|pipelines|buildpacks)(?: |$)/,
    secret: /^config|auth:token|credentials/,
  }),
  looksAtFly: cloud({
    host: 'fly.io',
    look: /^(?:status|logs|apps list|releases|version|info|regions list|platform [\w-]+|machines? (?:list|status)|volumes list|secrets list|checks list)(?: |$)/,
    secret: /auth token|tokens|ssh console/,
  }),
  looksAtVercel: cloud({
    host: 'vercel.com',
    look: /^(?:ls|list|inspect|logs|whoami|projects? ls|domains ls|env ls|help)(?: |$)/,
    secret: /env pull/,
  }),
  looksAtNetlify: cloud({
    host: 'netlify.com',
    look: /^(?:status|sites:list|help)(?: |$)/,
    secret: /env:(?:get|list)/,
  }),
  looksAtCloudflare: cloud({
    host: 'cloudflare.com',
    look: /^(?:whoami|deployments list|kv namespace list|d1 list|r2 bucket list|versions list)(?: |$)/,
    secret: /secret get/,
  }),
  looksAtService: cloud({
    host: 'the_service',
    look: /^(?:projects:list|projects list|status|whoami|logs|--version|version|list|account get)(?: |$)/,
    secret: /secrets|variables|token/,
  }),
};

/** Data of a folder may run programs. Every call of Terraform also checks for its newest version. */
function elsewhere(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  const asks = name === 'terraform' ? [ownFetch('checkpoint-api.hashicorp.com')] : [];
  const folders = valuesOf(given, '-chdir').map((word) => act('code', word));
  return withActs(reading, ...folders, ...asks);
}

/** `cdk synth`, `sam validate` only look; other commands reach accounts. */
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

/** Options of clients that precede their commands and have a value. */
const settings =
  /^(?:--(?:profile|region|output|project|subscription|account|app|org|format|query|zone)|-[aog])$/;

/** The words of the command: those before any other option. */
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

/** A client of a service: the words that it sends must be known and name no file. */
function cloud({host, look, secret}: Service): Refine {
  return (reading, {args}) => {
    const result: Reading = {acts: [], unknown: reading.unknown};
    if (args.length > 0 && args.every(({text}) => /^(?:--?version|--?help|-[vh])$/.test(text)))
      return result;
    const line = lineOf(args);
    if (secret.test(args.map(({text}) => text).join(' ')))
      return withActs(result, act('reveals', 'credentials'));
    if (!look.test(line)) return withActs(result, act('alters', 'infrastructure'));
    const odd = args.find(isSendable);
    return odd
      ? withUnknown(result, odd.text, 'is sent to the service')
      : withActs(result, ownFetch(host));
  };
}

function isSendable({text, known, pattern}: Word): boolean {
  const isOption =
    /^--(?:endpoint|cli-input|debug|ca-bundle|access-token-file|flags-file|impersonate|json|body|config|env-file)/;
  return !known || pattern || /^@|=@|fileb?:\/\//.test(text) || isOption.test(text);
}
