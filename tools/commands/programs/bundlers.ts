/** Programs that build for the web, and what serves it. */

import type {Program} from '../program.ts';
import {all, onlyTasks, servesHere} from './refine.ts';

const asked = '-v|-V|--version -h|--help';
const tasks =
  /^(?:dev|build|start|lint|info|test|check|typecheck|type-check|prepare|generate|preview|sync|typegen|routes|serve|develop|export:check|build-storybook|doctor|analyze|telemetry-status)$/;

const build = {does: 'runs=the_build'};

const viteOptions =
  '-c|--config=code --base=text -l|--logLevel=text --clearScreen=?text --no-clearScreen -d|--debug=?text -f|--filter=text -m|--mode=text --host=?text --port=text --open=?text --cors --strictPort --force -w|--watch --target=text --outDir=deletes-tree --assetsDir=text --assetsInlineLimit=text --ssr=?text --sourcemap=?text --minify=?text --no-minify --manifest=?text --emptyOutDir --no-emptyOutDir --configLoader=text';

export const bundlers: readonly Program[] = [
  {
    name: 'vite',
    ...build,
    options: `${asked} ${viteOptions}`,
    operands: 'text? code?',
    refine: servesHere('--host'),
    when: {'-v -V --version -h --help': {does: ''}},
  },
  {
    name: ['webpack', 'rspack'],
    ...build,
    options: `${asked} -c|--config=code --mode=text -w|--watch --no-watch --env=text --node-env=text -d|--devtool=text --progress --no-color --color --json=?writes -o|--output-path=writes-tree --stats=text --analyze --fail-on-warnings --hot --no-hot --open --port=text -m|--merge --config-name=text`,
    operands: 'text*',
    refine: onlyTasks(/^(?:build|b|bundle|serve|server|s|watch|w|info|version|help)$|[./]/),
  },
  {
    name: ['rollup', 'rolldown'],
    ...build,
    options: `${asked} -c|--config=?code -w|--watch -i|--input=text -o|--file=writes -d|--dir=writes-tree -f|--format=text -n|--name=text -m|--sourcemap=?text --environment=text --silent --failAfterWarnings -e|--external=text -g|--globals=text -p|--plugin=code --configPlugin=code --bundleConfigAsCjs --treeshake=?text --minify --logLevel=text`,
    operands: 'code*',
  },
  {
    name: 'esbuild',
    options: `${asked} --bundle --minify --minify-syntax --minify-whitespace --minify-identifiers --outfile=writes --outdir=writes-tree --outbase=text --platform=text --format=text --target=text --sourcemap=?text --splitting --watch=?text --tsconfig=reads --log-level=text --metafile=writes --tree-shaking=text --packages=text --jsx=text --jsx-factory=text --global-name=text --keep-names --legal-comments=text --analyze=?text --charset=text --main-fields=text --conditions=text --public-path=text --allow-overwrite --color=text --drop=text --loader=text --sources-content=text`,
    operands: 'reads*',
  },
  {
    name: [
      'tsup',
      'tsdown',
      'unbuild',
      'microbundle',
      'parcel',
      'pkgroll',
      'bunchee',
      'swc',
      'babel',
      'postcss',
      'tailwindcss',
      'svelte-package',
    ],
    ...build,
    options: `${asked} --config|-c=code -d|--out-dir|--dist-dir|--outDir=deletes-tree -o|--output|--out-file=writes --format=text --dts --no-dts --minify --no-minify --sourcemap=?text --source-maps=?text --watch -w --clean --no-clean --target=text --silent --extensions=text --quiet  -i|--input=reads --tsconfig=reads --external=text --copy-files --no-cache --stub`,
    operands: 'reads*',
  },
  {
    name: [
      'next',
      'nuxt',
      'nuxi',
      'astro',
      'svelte-kit',
      'remix',
      'react-router',
      'gatsby',
      'react-scripts',
      'expo',
      'docusaurus',
      'vitepress',
      'eleventy',
      'storybook',
      'sb',
      'start-storybook',
      'build-storybook',
      'electron-vite',
      'waku',
    ],
    ...build,
    options: `${asked} -p|--port=text -H|--hostname=text --host=?text --turbo --turbopack --webpack --dir=lists --quiet --no-lint --debug -d --profile --experimental-build-mode=text --no-open --ci --strict --fix --watchAll=?text --coverage --no-watch --docs --smoke-test --disable-telemetry --loglevel=text`,
    operands: 'text*',
    when: {'--fix': {operands: 'text*', does: 'runs=the_build edits-tree=.'}},
    refine: all(onlyTasks(tasks), servesHere('-H --hostname --host')),
  },
  {
    name: ['typedoc', 'jsdoc', 'compodoc', 'documentation', 'api-documenter'],
    ...build,
    options: `${asked} --options|-c|--configure=code --out|-d|--destination=deletes-tree --tsconfig=reads --json=writes --entryPoints=text --emit=text`,
    operands: 'reads-tree*',
  },
];
