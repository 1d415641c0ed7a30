/** Maven, Gradle and their kin, Java itself, .NET. */

import type {Unknown} from '../effect.ts';
import type {Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {fitting, valuesOf} from './given.ts';
import {act, onlyTasks, withActs} from './refine.ts';

const mavenOptions =
  '-q|--quiet -B|--batch-mode -o|--offline -U|--update-snapshots -e|--errors -X|--debug -T|--threads=text -pl|--projects=text -am|--also-make -amd|--also-make-dependents -f|--file=code -P|--activate-profiles=text -ntp|--no-transfer-progress -N|--non-recursive -fae|--fail-at-end -ff|--fail-fast -fn|--fail-never -rf|--resume-from=text -v|--version -V|--show-version -h|--help -Dtest=text -Dit.test=text -DskipTests=?text -DskipITs -Dmaven.test.skip=?text -DfailIfNoTests=text -Dsurefire.failIfNoSpecifiedTests=text -Dcheckstyle.skip -Dspotless.check.skip -Dstyle.color=text -DoutputFile=writes -Dincludes=text';

const gradleOptions =
  '-q|--quiet -i|--info -d|--debug -s|--stacktrace -S|--full-stacktrace -x|--exclude-task=text --no-daemon --daemon --offline --continue --rerun-tasks --tests=text --parallel --no-parallel --build-cache --no-build-cache --configuration-cache --no-configuration-cache --console=text --warning-mode=text -p|--project-dir=from --refresh-dependencies --dry-run -m -v|--version -h|--help --configuration=text --dependency=text --max-workers=text --profile --all --fail-fast --status --stop';

const goals =
  /^(?:clean|validate|compile|test-compile|test|package|verify|install|site|process-\w+|generate-\w+|dependency:(?:tree|analyze|resolve|list|go-offline)|versions:display-[\w-]+|help:[\w-]+|surefire:test|failsafe:[\w-]+|checkstyle:check|spotbugs:check|pmd:check|jacoco:\w+|spotless:check|fmt:check|enforcer:enforce|spring-boot:(?:run|build-info)|quarkus:dev)$/;

const tasks =
  /^(?:[\w.-]*:)*(?:build|test|check|assemble|clean|classes|testClasses|jar|bootJar|war|run|bootRun|dependencies|tasks|projects|properties|help|lint\w*|detekt|ktlintCheck|spotlessCheck|checkstyle\w*|pmd\w*|spotbugs\w*|jacoco\w*|compile\w+|javadoc|wrapper|test\w*|assemble\w+|bundle\w+|integrationTest|buildNeeded|dependencyInsight|dependencyUpdates|connected\w*Test|koverHtmlReport|apiCheck|buildEnvironment)$/;

const mends = /^(?:[\w.-]*:)*(?:spotlessApply|ktlintFormat|spotless:apply|fmt:format|apiDump)$/;
const testing = /(?:^|:)(?:test|verify|check|integrationTest|test\w*UnitTest|surefire:test)$/;

/** Phases, goals and tasks that are known; what others do is a matter of plugins. */
function building(known: RegExp, rules: readonly string[]): NonNullable<Program['refine']> {
  return (reading, {name}, given) => {
    const {operands} = given;
    const odd = operands.flatMap((word) => unlisted(name, word, known));
    const isTest = operands.some(({text}) => testing.test(text));
    const folders = valuesOf(given, '-p --project-dir').map((word) => act('code', word));
    const edits = operands.some(({text}) => mends.test(text)) ? [act('edits-tree', '.')] : [];
    return {
      ...withActs(reading, ...rules.map((rule) => act('loads', rule)), ...folders, ...edits),
      unknown: [...reading.unknown, ...odd],
      ...(isTest ? {isTest: true} : {}),
    };
  };
}

function unlisted(name: string, {text, known}: Word, listed: RegExp): readonly Unknown[] {
  const isKnown = known && (listed.test(text) || mends.test(text));
  return isKnown ? [] : [{word: `${name} ${text}`, why: 'is no task that is known'}];
}

const dotnetOptions =
  '-c|--configuration=text -f|--framework=text -r|--runtime=text --arch=text --os=text -o|--output=writes-tree --no-restore --no-build --no-dependencies --no-incremental -v|--verbosity=text --nologo --self-contained -h|--help --interactive --force --tl=text';

export const jvmDotnet: readonly Program[] = [
  {
    name: ['mvn', 'mvnw', 'mvnd'],
    style: 'single',
    options: mavenOptions,
    operands: 'text*',
    does: 'installs=declared runs=the_build',
    when: {'-v --version -h --help': {operands: 'text*', does: ''}},
    refine: building(goals, ['.mvn/jvm.config', '.mvn/extensions.xml']),
  },
  {
    name: ['gradle', 'gradlew'],
    style: 'single',
    options: gradleOptions,
    operands: 'text*',
    does: 'installs=declared runs=the_build',
    when: {'-v --version -h --help': {operands: 'text*', does: ''}},
    refine: building(tasks, []),
  },
  {
    name: 'ant',
    style: 'single',
    options: '-version -q -v -f=code -projecthelp',
    operands: 'text*',
    does: 'runs=the_build loads=build.xml',
    refine: onlyTasks(/^(?:build|compile|test|clean|jar|dist|javadoc|check)$/),
  },
  {
    name: ['sbt', 'mill', 'lein', 'clj', 'boot'],
    options: '--version --help -v',
    operands: 'text*',
    does: 'installs=declared runs=the_build',
    refine: building(
      /^(?:test|compile|clean|package|run|Test\/compile|testOnly|check|deps|scalafmtCheck|scalafmtCheckAll|doc|assembly|update)$/,
      [],
    ),
  },
  {name: 'java', options: '*', operands: 'text*', refine: (_reading, {args}) => javaOf(args)},
  {
    name: ['javac', 'kotlinc', 'scalac', 'groovyc'],
    style: 'single',
    options:
      '-version --version -help --help -d=writes-tree -cp|-classpath|--class-path=lists -sourcepath=lists -g -nowarn -verbose -deprecation -encoding=text -source|-target|--release=text -Xlint -Xlint:all -Xlint:unchecked -Xlint:deprecation -parameters -proc:none -include-runtime',
    operands: 'reads+',
    refine: (reading, _call, given) => ({
      ...reading,
      unknown: [
        ...reading.unknown,
        ...given.operands
          .filter(({text}) => text.startsWith('@'))
          .map(({text}) => ({word: text, why: 'holds options'})),
        ...(given.options.some(({name}) => /^(?:-d|--?version|--?help)$/.test(name))
          ? []
          : [{word: '-d', why: 'is not given: it writes beside its sources'}]),
      ],
    }),
  },
  {
    name: 'dotnet',
    options: '--version --info --list-sdks --list-runtimes -h|--help',
    subcommands: {
      '': {},
      'build msbuild pack publish': {
        options: dotnetOptions,
        operands: 'code?',
        does: 'installs=declared runs=the_build',
      },
      'test vstest': {
        options: `${dotnetOptions} --filter=text -l|--logger=text --collect=text --results-directory=writes-tree -t|--list-tests --blame -s|--settings=code`,
        operands: 'code?',
        does: 'installs=declared runs=the_tests',
        isTest: true,
        refine: (reading, _call, given) =>
          fitting(reading, valuesOf(given, '-l --logger'), {
            form: /^\w+(?:;(?:LogFileName=\w[\w.-]*|verbosity=\w+))*$/i,
            why: 'may write anywhere',
          }),
        when: {
          '-t --list-tests -h --help': {operands: 'code?', does: 'runs=the_build', isTest: false},
        },
      },
      run: {
        style: 'posix',
        options: `${dotnetOptions} --project=code --launch-profile=text`,
        operands: 'text*',
        does: 'installs=declared runs=the_program',
      },
      watch: {
        options: dotnetOptions,
        operands: 'text*',
        does: 'runs=the_program',
        refine: onlyTasks(/^(?:run|test|build)$/),
      },
      restore: {
        options: `${dotnetOptions} --locked-mode --use-lock-file --no-cache`,
        operands: 'code?',
        does: 'installs=declared',
      },
      clean: {options: dotnetOptions, operands: 'code?', does: 'runs=the_build'},
      format: {
        options:
          '--verify-no-changes --no-restore --severity=text --include=text --exclude=text -v|--verbosity=text',
        operands: 'text*',
        does: 'runs=the_build edits-tree=.',
        when: {'--verify-no-changes': {operands: 'text*', does: 'runs=the_build'}},
      },
      list: {
        options: '--outdated --include-transitive --vulnerable --deprecated',
        operands: 'text*',
      },
      'add remove': {
        operands: 'text* installs',
        options: '-v|--version=text -f|--framework=text -n|--no-restore --prerelease',
      },
      sln: {subcommands: {list: {}}, options: '-h|--help'},
      tool: {
        options: '-h',
        subcommands: {
          restore: {does: 'installs=declared'},
          list: {options: '-g|--global'},
          'install update uninstall': {
            options: '*',
            operands: 'installs*',
            does: 'alters=tools_of_this_machine',
          },
        },
      },
      nuget: {
        subcommands: {
          'list locals': {options: '-l|--list', operands: 'text*'},
          'push delete': {options: '*', operands: 'text*', does: 'publishes=packages'},
        },
      },
    },
  },
];

const javaFlag = /^(?:-ea|-server|-X(?:m[sx]|ss)\d+[kmg]?|--enable-preview)$/i;

/** `java -jar FILE ARGS`, `java FILE.java ARGS`; a class may be anywhere. */
function javaOf(args: readonly Word[]): Reading {
  const told: Reading = {acts: [], unknown: []};
  const [first = wordOf(''), second = wordOf('')] = args.filter(({text}) => !javaFlag.test(text));
  if (/^(?:--?version|--?help|-h)$/.test(first.text)) return told;
  const file = first.text === '-jar' ? second : first;
  const isFile = file.known && /^[^-].*\.(?:jar|java)$/.test(file.text);
  const unknown = [
    {word: `java ${file.text}`, why: 'is code, or a thing whose effects no rule can tell'},
  ];
  return isFile ? withActs(told, act('code', file)) : {...told, unknown};
}
