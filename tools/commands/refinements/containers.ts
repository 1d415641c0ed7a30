/** Containers and clusters: commands that look, build, or change running services. */

import type {Act, Arguments, Invocation, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, after, has, ownFetch, withActs, withUnknown} from './refine.ts';

/** Commands in a container are not judged by places of the workspace; these only test and look. */
const harmless =
  /^(?:(?:npm|pnpm|yarn|bun) (?:run )?(?:test|lint|typecheck|build|check)|(?:npm|node|python3?|php|ruby|go|cargo) (?:--version|-v|-V|version)|(?:python3? -m )?pytest|(?:bundle exec )?rspec|go test|cargo test|php artisan (?:test|route:list|migrate:status)|(?:\.\/)?vendor\/bin\/phpunit|mix test|ls|pwd|ps|ps aux|whoami|hostname|date|uname -a|df -h|pg_isready|redis-cli ping|rails (?:test|routes))(?: [\w./:=@-]+)*$/;

export const containers: Refinements = {
  environmentOfContainers: (reading, _call, given) =>
    valuesOf(given, '-f --filter --format').some(({text, known}) => !known || /env/i.test(text))
      ? withActs(reading, act('reveals', 'the environment of a container'))
      : reading,
  imageBuild: (reading, _call, {operands}) => {
    const odd = operands.find(({text, known}) => !known || /^-$|:\/\/|^git@/.test(text));
    if (odd) return withUnknown(reading, odd.text, 'is not a folder');
    const isHere = operands.every(({text}) => /^\.\/?$/.test(text));
    return withActs(
      reading,
      ...(isHere ? [act('loads', 'Dockerfile')] : operands.map((word) => act('code', word))),
    );
  },
  pulls: (reading, _call, {operands}) =>
    operands.every(({known}) => known)
      ? withActs(reading, ...operands.map(pulled))
      : withUnknown(reading, 'docker pull', 'sends the registry a computed name'),
  runsInContainer: (reading, _call, {operands}) => {
    const words = operands.slice(1);
    const text = words.map((word) => word.text).join(' ');
    const isKnown =
      operands.every(({known, pattern}) => known && !pattern) &&
      harmless.test(text) &&
      !/--(?:output|out|coverageDirectory|basetemp|junit\w*)|\.\.|\.env/.test(text);
    const result = isKnown
      ? withActs(reading, act('runs', `${text} in a container`))
      : withUnknown(reading, text, 'runs in a container');
    return isKnown && /test|rspec|phpunit/.test(text) ? {...result, isTest: true} : result;
  },
  composeBuild: (reading, _call, given) => {
    if (given.operands[0]?.text !== 'build') return reading;
    const files = valuesOf(given, '-f --file --project-directory');
    return files.some(({text}) => text === '-')
      ? withUnknown(reading, '-f -', 'builds from its standard input')
      : withActs(reading, ...files.map((word) => act('code', word)));
  },
  revealsSecrets: revealing,
  fetchesChart: fetched,
  helmRelease: (reading, _call, {operands}) =>
    /^(?:values|all|manifest)$/.test(operands[0]?.text ?? '')
      ? withActs(reading, act('reveals', 'settings of a release'))
      : reading,
};

/** `ghcr.io/a/b` names a registry, `a/b` does not. */
function pulled(word: Word): Act {
  const isNamed = /^[^/]*[.:][^/]*\//.test(word.text);
  return isNamed ? act('fetches', word) : ownFetch('docker.io');
}

/** Charts from an address, from `oci://`, or from a named repository. */
function fetched(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const far = [...given.operands, ...valuesOf(given, '--repo')].filter(
    ({text, known}) => !known || /^\w+:\/\//.test(text),
  );
  const result = {...reading, acts: reading.acts.filter(({word}) => !far.includes(word))};
  return withActs(result, ...far.map((word) => act('fetches', word)));
}

/** Secrets that are printed, not only listed. */
function revealing(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const isSecret = given.operands.some(({text}) =>
    /(?:^|[,/])(?:secrets?|sa|serviceaccounts?|cm|configmaps?|all)(?:$|[,/.])/i.test(text),
  );
  const outputs = valuesOf(given, '-o --output');
  const isShown = outputs.some(({text}) => !/^(?:wide|name)$/.test(text));
  // The content of such a file is printed, except for its placeholders.
  const files = outputs.filter(({text}) => /-file=/.test(text));
  if (isSecret && isShown) return withActs(reading, act('reveals', 'secrets of a cluster'));
  const result = withActs(
    reading,
    ...files.map((word) => act('reads', after(word, word.text.indexOf('=') + 1))),
  );
  return has(given, '--raw')
    ? withUnknown(result, '--raw', 'reaches any path that it names')
    : result;
}
