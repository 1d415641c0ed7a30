/** Containers and clusters: what looks, what builds, what changes what runs. */

import type {Act, Arguments, Invocation, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, after, has, ownFetch, withActs, withUnknown} from './refine.ts';

type Subcommands = NonNullable<Program['subcommands']>;
type Entry = Omit<Program, 'name'>;

const looks: Entry = {
  options:
    '-a|--all -q|--quiet -f|--filter=text --format=text --no-trunc -n|--last|--tail=text -l|--latest -s|--size --since|--until=text -t|--timestamps --follow --details --digests --no-stream -v|--verbose --type=text --services --status=text --volumes --images --profiles --no-color --no-log-prefix --json --human|-H',
  operands: 'text*',
  refine: (reading, _call, given) =>
    valuesOf(given, '-f --filter --format').some(({text, known}) => !known || /env/i.test(text))
      ? withActs(reading, act('reveals', 'the environment of a container'))
      : reading,
};
const logs: Entry = {
  options:
    '-f|--follow -n|--tail=text --since|--until=text -t|--timestamps --details --no-color --no-log-prefix',
  operands: 'text*',
};
const change: Entry = {options: '*', operands: 'text*', does: 'alters=containers'};
const unjudged: Entry = {
  options: '*',
  operands: 'text*',
  does: 'unjudged=what_runs_in_a_container',
};

const build: Entry = {
  options:
    '-t|--tag=text -f|--file=code --target=text --build-arg=text --no-cache --pull -q|--quiet --progress=text --platform=text --rm --force-rm --label=text --load --check',
  operands: 'lists',
  does: 'runs=the_build_of_an_image',
  refine: (reading, _call, {operands}) => {
    const odd = operands.find(({text, known}) => !known || /^-$|:\/\/|^git@/.test(text));
    if (odd) return withUnknown(reading, odd.text, 'is no folder');
    const isHere = operands.every(({text}) => /^\.\/?$/.test(text));
    return withActs(
      reading,
      ...(isHere ? [act('loads', 'Dockerfile')] : operands.map((word) => act('code', word))),
    );
  },
};

/** What runs in a container is not judged by the places of the workspace; a few that only test and look are. */
const harmless =
  /^(?:(?:npm|pnpm|yarn|bun) (?:run )?(?:test|lint|typecheck|build|check)|(?:npm|node|python3?|php|ruby|go|cargo) (?:--version|-v|-V|version)|(?:python3? -m )?pytest|(?:bundle exec )?rspec|go test|cargo test|php artisan (?:test|route:list|migrate:status)|(?:\.\/)?vendor\/bin\/phpunit|mix test|ls|pwd|ps|ps aux|whoami|hostname|date|uname -a|df -h|pg_isready|redis-cli ping|rails (?:test|routes))(?: [\w./:=@-]+)*$/;

const exec: Entry = {
  style: 'posix',
  options:
    '-i|--interactive -t|--tty -T|--no-TTY -u|--user=text -w|--workdir=text -e|--env=text --index=text',
  operands: 'text text+',
  refine: (reading, _call, {operands}) => {
    const words = operands.slice(1);
    const text = words.map((word) => word.text).join(' ');
    const isKnown =
      operands.every(({known, pattern}) => known && !pattern) &&
      harmless.test(text) &&
      !/--(?:output|out|coverageDirectory|basetemp|junit\w*)|\.\.|\.env/.test(text);
    const told = isKnown
      ? withActs(reading, act('runs', `${text} in a container`))
      : withUnknown(reading, text, 'runs in a container');
    return isKnown && /test|rspec|phpunit/.test(text) ? {...told, isTest: true} : told;
  },
};

const compose: Entry = {
  options:
    '-f|--file=reads -p|--project-name=text --profile=text --ansi=text --progress=text --env-file=reads --project-directory=from -v|--version',
  subcommands: {
    '': {},
    'ps ls images top port events config version stats volumes': looks,
    logs: logs,
    build: {
      options: '--no-cache --pull -q|--quiet --build-arg=text --parallel --progress=text',
      operands: 'text*',
      does: 'runs=the_build_of_images loads=docker-compose.yml loads=compose.yaml',
    },
    pull: {
      options: '-q|--quiet --ignore-pull-failures',
      operands: 'text*',
      does: 'fetches=docker.io',
    },
    exec,
    'run up create watch cp attach': unjudged,
    'down start stop restart kill rm pause unpause push scale publish': change,
  },
  // What is built may stand in the file itself.
  refine: (reading, _call, given) => {
    if (given.operands[0]?.text !== 'build') return reading;
    const files = valuesOf(given, '-f --file --project-directory');
    return files.some(({text}) => text === '-')
      ? withUnknown(reading, '-f -', 'builds what it reads from its standard input')
      : withActs(reading, ...files.map((word) => act('code', word)));
  },
};

const docker: Subcommands = {
  '': {},
  'ps images version info top stats port diff history inspect': looks,
  logs: logs,
  build: build,
  'pull search': {
    options: '-q|--quiet -a --platform=text --limit=text --no-trunc',
    operands: 'text',
    refine: (reading, _call, {operands}) =>
      operands.every(({known}) => known)
        ? withActs(reading, ...operands.map(pulled))
        : withUnknown(reading, 'docker pull', 'tells the registry a computed name'),
  },
  exec,
  compose,
  image: {
    subcommands: {
      'ls list inspect history': looks,
      build,
      pull: change,
      push: {options: '*', operands: 'text*', does: 'publishes=an_image'},
      'rm prune tag load save import': change,
    },
  },
  container: {
    subcommands: {
      'ls list ps inspect top stats port diff': looks,
      logs,
      exec,
      'run create': unjudged,
      'rm prune kill stop start restart pause unpause rename update commit cp export': change,
    },
  },
  'network volume context node service stack swarm config secret plugin': {
    subcommands: {
      'ls list inspect ps show services': looks,
      'create rm prune connect disconnect use update deploy init join leave remove install enable disable scale rollback set':
        change,
    },
  },
  system: {subcommands: {'df info events': looks, prune: change}},
  'buildx builder': {
    subcommands: {'ls version du inspect': looks, build, 'prune rm create use bake': change},
  },
  manifest: {
    subcommands: {inspect: {options: '-v|--verbose', operands: 'text', does: 'fetches=docker.io'}},
  },
  'run create cp': unjudged,
  push: {options: '*', operands: 'text*', does: 'publishes=an_image'},
  'start stop restart kill rm rmi pause unpause tag commit rename update load import save export login logout attach wait':
    change,
};

const kubeOptions =
  '-n|--namespace=text -A|--all-namespaces -o|--output=local -l|--selector=text --field-selector=text --context=text --cluster=text --show-labels --sort-by=local --no-headers -w|--watch -c|--container=text -f|--follow --tail=text --since=text -p|--previous --all-containers --timestamps --prefix --recursive --api-version=text --client --short --containers --chunk-size=text --ignore-not-found --request-timeout=text --minify --raw --watch-only -L=text --for=text --types=text --revision=text --timeout=text';

const cluster: Entry = {options: '*', operands: 'text*', does: 'alters=a_cluster'};

const kube: Subcommands = {
  '': {},
  'get describe logs top explain version cluster-info api-resources api-versions events options': {
    options: kubeOptions,
    operands: 'text*',
    refine: revealing,
  },
  config: {
    subcommands: {
      view: {
        options: kubeOptions,
        when: {'--raw': {does: 'reveals=credentials'}},
      },
      'current-context get-contexts get-clusters get-users': {
        options: kubeOptions,
        operands: 'text*',
      },
      'use-context set set-context set-cluster set-credentials delete-context unset rename-context delete-cluster delete-user':
        cluster,
    },
  },
  auth: {
    options: kubeOptions,
    subcommands: {'can-i whoami': {options: kubeOptions, operands: 'text*'}},
  },
  rollout: {
    options: kubeOptions,
    subcommands: {
      'status history': {options: kubeOptions, operands: 'text*'},
      'restart undo pause resume': cluster,
    },
  },
  'apply create delete edit replace patch scale autoscale expose run set label annotate taint cordon uncordon drain exec cp attach debug certificate proxy port-forward wait':
    cluster,
};

const helmCommon =
  '-n|--namespace=text -A|--all-namespaces -o|--output=text --kube-context=text -a|--all -f|--values=reads --set|--set-string=text --version=text --revision=text --max=text --strict --debug --show-only|-s=text --short --include-crds --name-template=text --repo=text --devel --versions|-l -q';

export const containers: readonly Program[] = [
  {
    name: ['docker', 'podman', 'nerdctl'],
    options: '-v|--version -h|--help -D|--debug',
    subcommands: docker,
  },
  {name: ['docker-compose', 'podman-compose'], ...compose},
  {
    name: ['kubectl', 'oc'],
    does: 'fetches=the_cluster',
    options: '-n|--namespace=text --context=text --cluster=text -h|--help',
    subcommands: kube,
  },
  {
    name: 'helm',
    options: '-n|--namespace=text --kube-context=text -h|--help',
    subcommands: {
      '': {},
      'list ls status history version env lint show inspect search': {
        options: helmCommon,
        operands: 'text*',
        does: 'runs=helm',
        refine: fetched,
      },
      template: {
        options: helmCommon,
        operands: 'text* lists',
        does: 'runs=helm',
        refine: fetched,
      },
      get: {
        options: helmCommon,
        operands: 'text*',
        does: 'runs=helm',
        refine: (reading, _call, {operands}) =>
          /^(?:values|all|manifest)$/.test(operands[0]?.text ?? '')
            ? withActs(reading, act('reveals', 'settings of a release'))
            : reading,
      },
      'dependency dep': {
        subcommands: {
          'list ls': {operands: 'lists?'},
          'build update': {
            options: '--skip-refresh',
            operands: 'lists?',
            does: 'installs=declared',
          },
        },
      },
      repo: {subcommands: {'list ls': {options: '-o=text'}, 'update add remove index': cluster}},
      'install upgrade uninstall delete rollback test pull package create registry plugin': cluster,
      push: {options: '*', operands: 'text*', does: 'publishes=a_chart'},
    },
  },
  {
    name: ['minikube', 'kind', 'k3d'],
    options: '-h|--help',
    subcommands: {
      'status version profile ip get list': {options: '-o=text', operands: 'text*'},
      'start stop delete create load addons cluster image': cluster,
    },
  },
];

/** `ghcr.io/a/b` names a registry, `a/b` none. */
function pulled(word: Word): Act {
  const isNamed = /^[^/]*[.:][^/]*\//.test(word.text);
  return isNamed ? act('fetches', word) : ownFetch('docker.io');
}

/** Charts of an address, of `oci://`, of a repository that is named. */
function fetched(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const far = [...given.operands, ...valuesOf(given, '--repo')].filter(
    ({text, known}) => !known || /^\w+:\/\//.test(text),
  );
  const told = {...reading, acts: reading.acts.filter(({word}) => !far.includes(word))};
  return withActs(told, ...far.map((word) => act('fetches', word)));
}

/** Secrets that are printed, not only listed. */
function revealing(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const isSecret = given.operands.some(({text}) =>
    /(?:^|[,/])(?:secrets?|sa|serviceaccounts?|cm|configmaps?|all)(?:$|[,/.])/i.test(text),
  );
  const outputs = valuesOf(given, '-o --output');
  const isShown = outputs.some(({text}) => !/^(?:wide|name)$/.test(text));
  // What stands in such a file is printed, but for what is put in its place.
  const files = outputs.filter(({text}) => /-file=/.test(text));
  if (isSecret && isShown) return withActs(reading, act('reveals', 'secrets of a cluster'));
  const told = withActs(
    reading,
    ...files.map((word) => act('reads', after(word, word.text.indexOf('=') + 1))),
  );
  return has(given, '--raw') ? withUnknown(told, '--raw', 'reaches whatever it names') : told;
}
