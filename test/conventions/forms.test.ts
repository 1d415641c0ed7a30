/** A form of interaction is one row in each of a few tables: at most eight files outside its own folders name it. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {type ESTree, parseSync, Visitor} from 'rolldown/utils';
import {describe, expect, test} from 'vitest';

import {type InteractionForm, interactionForms} from '../../machines/domain/interaction-form.ts';

const mostFiles = 8;

/** The own files of a form: its chart and its command. */
const ownPlaces = (form: string): readonly string[] => [
  `machines/forms/${form}/`,
  `cli/${form}/`,
  `cli/commands/${form}.ts`,
  ...(form === 'agent' ? ['task', 'demo'].map((name) => `cli/commands/${name}.ts`) : []),
];

interface Use {
  readonly file: string;
  readonly forms: readonly InteractionForm[];
  readonly why: string;
}

/**
 * Files that name a form besides its rows. A new form needs none of them except the two that repeat the spawnable forms:
 * these can use `SpawnableForm` and `spawnableForms`.
 */
const uses: readonly Use[] = [
  {
    file: 'actors/runtime.ts',
    forms: ['agent', 'ask'],
    why: 'methods of the API that start one',
  },
  {
    file: 'actors/submissions/submissions.ts',
    forms: ['interview'],
    why: 'a submission is an interview',
  },
  {
    file: 'cli/chat/earlier.ts',
    forms: ['interview'],
    why: 'the request of an interview is a path',
  },
  {
    file: 'cli/chat/piped.ts',
    forms: ['interview'],
    why: 'piped lines are replies to an interview',
  },
  {
    file: 'cli/chat/talk.ts',
    forms: ['agent', 'interview', 'command'],
    why: 'words begin an agent, ! begins a command, a form in a file begins an interview',
  },
  {
    file: 'cli/chat/chat-reporter.ts',
    forms: ['ask'],
    why: 'an answer appears as it is written',
  },
  {
    file: 'cli/commands/init.ts',
    forms: ['agent'],
    why: 'AGENTS.md is written by a task',
  },
  {
    file: 'cli/config/init-request.ts',
    forms: ['agent'],
    why: 'the model that would plan decides on the words',
  },
  {
    file: 'cli/doctor/models.ts',
    forms: ['agent', 'ask', 'interview'],
    why: 'a finding for each model that is asked whether it answers',
  },
  {
    file: 'cli/session.ts',
    forms: ['ask'],
    why: 'an answer appears as it is written',
  },
  {
    file: 'machines/loop/spawned.ts',
    forms: ['ask'],
    why: 'the fallback for a tool that spawns nothing, which never gets there',
  },
];

const root = join(import.meta.dirname, '../..');
const names: ReadonlySet<string> = new Set(interactionForms);

/** Commands, sections of the configuration, roles and purposes of models, operands: other lists with the word of a form. */
const elsewhere: ReadonlySet<string> = new Set([
  'quorum',
  'debate',
  'decision',
  'moderator',
  'explore',
  'gate',
  'help',
  'tools',
]);

const naming = globSync('{machines,actors,tools,cli,diagrams}/**/*.ts', {cwd: root})
  .toSorted()
  .flatMap((file) =>
    [...formsNamedIn(file, readFileSync(join(root, file), 'utf8'))]
      .filter((form) => !ownPlaces(form).some((place) => file.startsWith(place)))
      .map((form) => ({form, file})),
  );

test.each(interactionForms)(`at most ${mostFiles} files name the form %s`, (form) => {
  const files = naming.filter((each) => each.form === form).map(({file}) => file);
  expect(files).toContain('machines/domain/interaction-form.ts');
  const using = new Set(uses.filter(({forms}) => forms.includes(form)).map(({file}) => file));
  expect(files.filter((file) => !using.has(file)).slice(mostFiles)).toEqual([]);
});

test('each use in the list still needs its exception', () => {
  const listed = uses.flatMap(({file, forms}) => forms.map((form) => ({form, file})));
  expect(naming).toEqual(expect.arrayContaining(listed));
});

describe('an expression that names a form', () => {
  test.each([
    ["if (form === 'agent') skip();", ['agent']],
    ["if ('ask' !== node?.form) skip();", ['ask']],
    ["if (formOf(chat.focus) !== 'interview') skip();", ['interview']],
    ["switch (result.form) { case 'review': skip(); }", ['review']],
    ["runtime.start({form: 'command', request});", ['command']],
    ["const command = {endsWithResult: 'discuss'};", ['discuss']],
    ["interface Answered { readonly form: 'ask'; }", ['ask']],
    ["const form = given ?? 'agent';", ['agent']],
    ["const spawnable = ['agent', 'ask'];", ['agent', 'ask']],
    ["const nouns = {agent: 'task', command: 'command'};", ['agent', 'command']],
    ["type Begun = 'ask' | 'discuss';", ['ask', 'discuss']],
    ["await startRun('agent', parsed, terminal);", ['agent']],
    ["const found = resolveLoaded(loaded, router, 'ask');", ['ask']],
  ])('%s', (text, forms) => expect([...formsNamedIn('sample.ts', text)].toSorted()).toEqual(forms));
});

describe('an expression with the word of a form that does not name one', () => {
  test.each([
    ["if (from === 'agent') skip();"],
    ["if (purpose === 'discuss') skip();"],
    ["const purposes = ['explore', 'act', 'ask', 'discuss'];"],
    [
      "const keys = {decision: 'agent.decision_model', review: 'agent.review_models', ask: 'ask.model'};",
    ],
    ['const settings = {agent: {}, quorum: {}, ask: {}};'],
    ["type Sections = Pick<Settings, 'agent' | 'ask'>;"],
    ['const {agent, ask, discuss} = settings;'],
    ['const parts = {discuss, interview};'],
    ["interface Claim { readonly purpose: 'ask' | 'discuss'; }"],
  ])('%s', (text) => expect([...formsNamedIn('sample.ts', text)]).toEqual([]));
});

/** Throws for a file that cannot be parsed. */
function formsNamedIn(file: string, text: string): ReadonlySet<string> {
  const {program, errors} = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({message}) => message).join()}`);
  const found = new Set<string>();
  const add = (list: readonly (string | undefined)[]): void => {
    for (const name of list) if (name !== undefined && names.has(name)) found.add(name);
  };
  /** Names that occur together in a list, a table or a union. */
  const addGroup = (list: readonly (string | undefined)[]): void => {
    const known = list.filter((name) => name !== undefined && names.has(name));
    if (known.length > 1 && !list.some((name) => elsewhere.has(name ?? ''))) add(known);
  };
  /** Unions of keys, inside `Pick` and its like, and of purposes. */
  const others = new Set<ESTree.Node>();
  new Visitor({
    TSTypeReference: ({typeName, typeArguments}) => {
      if (typeName.type !== 'Identifier' || !['Pick', 'Omit', 'FormInput'].includes(typeName.name))
        return;
      for (const each of typeArguments?.params ?? []) others.add(each);
    },
    BinaryExpression: ({left, right}) => {
      if (isForm(left)) add([stringOf(right)]);
      if (isForm(right)) add([stringOf(left)]);
    },
    SwitchStatement: ({discriminant, cases}) => {
      if (isForm(discriminant)) add(cases.map((each) => stringOf(each.test)));
    },
    LogicalExpression: ({right}) => add([stringOf(right)]),
    CallExpression: (call) => {
      if (takesForm(call.callee)) add(call.arguments.map(stringOf));
    },
    Property: ({key, value}) => {
      if (isFormKey(nameOf(key))) add([stringOf(value)]);
    },
    TSPropertySignature: ({key, typeAnnotation}) => {
      const type = typeAnnotation?.typeAnnotation;
      if (isFormKey(nameOf(key))) add([literalOf(type)]);
      if (type && nameOf(key) === 'purpose') others.add(type);
    },
    ArrayExpression: ({elements}) => addGroup(elements.map(stringOf)),
    ObjectExpression: ({properties}) => addGroup(properties.map(keyOf)),
    TSUnionType: (union) => {
      if (!others.has(union)) addGroup(union.types.map(literalOf));
    },
  }).visit(program);
  return found;
}

/** Functions whose arguments may be forms. */
function takesForm(callee: ESTree.Node): boolean {
  const name = calledName(callee) ?? '';
  return /^(?:start|launch|resolve|begin)|Form$/.test(name);
}

function calledName(node: ESTree.Node): string | undefined {
  return node.type === 'MemberExpression' ? nameOf(node.property) : nameOf(node);
}

function isForm(node: ESTree.Node): boolean {
  if (node.type === 'ChainExpression') return isForm(node.expression);
  if (node.type === 'CallExpression') return /^formOf$|Form$/.test(calledName(node.callee) ?? '');
  return /^form$|Form$/.test(calledName(node) ?? '');
}

function isFormKey(name: string | undefined): boolean {
  return ['form', 'endsWithResult', 'spawns'].includes(name ?? '');
}

/** The key of a row in a table: `{ask}` is a variable. */
function keyOf(property: ESTree.ObjectProperty | ESTree.SpreadElement): string | undefined {
  return property.type === 'Property' && !property.shorthand ? nameOf(property.key) : undefined;
}

function literalOf(node: ESTree.Node | undefined): string | undefined {
  return node?.type === 'TSLiteralType' ? stringOf(node.literal) : undefined;
}

function nameOf(node: ESTree.Node): string | undefined {
  return node.type === 'Identifier' ? node.name : stringOf(node);
}

function stringOf(node: ESTree.Node | null): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
