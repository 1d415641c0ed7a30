/** Maven, Gradle and similar tools, Java itself, .NET. */

import type {Unknown} from '../effect.ts';
import type {Program, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {fitting, valuesOf} from './given.ts';
import {act, onlyTasks, withActs} from './refine.ts';

const goals =
  /^(?:clean|validate|compile|test-compile|test|package|verify|install|site|process-\w+|generate-\w+|dependency:(?:tree|analyze|resolve|list|go-offline)|versions:display-[\w-]+|help:[\w-]+|surefire:test|failsafe:[\w-]+|checkstyle:check|spotbugs:check|pmd:check|jacoco:\w+|spotless:check|fmt:check|enforcer:enforce|spring-boot:(?:run|build-info)|quarkus:dev)$/;

const tasks =
  /^(?:[\w.-]*:)*(?:build|test|check|assemble|clean|classes|testClasses|jar|bootJar|war|run|bootRun|dependencies|tasks|projects|properties|help|lint\w*|detekt|ktlintCheck|spotlessCheck|checkstyle\w*|pmd\w*|spotbugs\w*|jacoco\w*|compile\w+|javadoc|wrapper|test\w*|assemble\w+|bundle\w+|integrationTest|buildNeeded|dependencyInsight|dependencyUpdates|connected\w*Test|koverHtmlReport|apiCheck|buildEnvironment)$/;

const mends = /^(?:[\w.-]*:)*(?:spotlessApply|ktlintFormat|spotless:apply|fmt:format|apiDump)$/;

const testing = /(?:^|:)(?:test|verify|check|integrationTest|test\w*UnitTest|surefire:test)$/;

/** Known phases, goals and tasks; the effects of others depend on plugins. */
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
  return isKnown ? [] : [{word: `${name} ${text}`, why: 'is not a known task'}];
}

export const jvmDotnet: Refinements = {
  mavenGoals: building(goals, ['.mvn/jvm.config', '.mvn/extensions.xml']),
  gradleTasks: building(tasks, []),
  antTargets: onlyTasks(/^(?:build|compile|test|clean|jar|dist|javadoc|check)$/),
  sbtTasks: building(
    /^(?:test|compile|clean|package|run|Test\/compile|testOnly|check|deps|scalafmtCheck|scalafmtCheckAll|doc|assembly|update)$/,
    [],
  ),
  runsJava: (_reading, {args}) => javaOf(args),
  compilesJava: (reading, _call, given) => ({
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
  dotnetLogger: (reading, _call, given) =>
    fitting(reading, valuesOf(given, '-l --logger'), {
      form: /^\w+(?:;(?:LogFileName=\w[\w.-]*|verbosity=\w+))*$/i,
      why: 'may write anywhere',
    }),
  dotnetWatch: onlyTasks(/^(?:run|test|build)$/),
};

const javaFlag = /^(?:-ea|-server|-X(?:m[sx]|ss)\d+[kmg]?|--enable-preview)$/i;

/** `java -jar FILE ARGS`, `java FILE.java ARGS`; a class may be anywhere. */
function javaOf(args: readonly Word[]): Reading {
  const result: Reading = {acts: [], unknown: []};
  const [first = wordOf(''), second = wordOf('')] = args.filter(({text}) => !javaFlag.test(text));
  if (/^(?:--?version|--?help|-h)$/.test(first.text)) return result;
  const file = first.text === '-jar' ? second : first;
  const isFile = file.known && /^[^-].*\.(?:jar|java)$/.test(file.text);
  const unknown = [
    {word: `java ${file.text}`, why: 'runs code, or has effects that no rule can determine'},
  ];
  return isFile ? withActs(result, act('code', file)) : {...result, unknown};
}
