/** The tools of a folder and its MCP servers as tables, or one server with the texts of its tools. */

import {type Message, t} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import type {DefinitionTokens} from '../../tools/definition-tokens.ts';
import type {SurveyedServer, SurveyedTool, ToolSurvey} from '../../tools/survey.ts';
import type {Style} from '../style.ts';
import {oneLine} from '../text.ts';
import {tableLines} from './table.ts';

const sources = {builtIn: t`built in{:tool}`, custom: t`quorate.toml`, server: t`server`};
const risks = {low: t`low`, high: t`high`};
const toolStates = {overLimit: t`not offered: too many`, changed: t`not offered: changed`};
const toolTitles = [t`TOOL`, t`FROM`, t`RISK`, t`EFFECTS`, t``];
const states = {
  offered: t`offered`,
  new: t`not started yet`,
  changed: t`changed`,
  damaged: t`record damaged`,
  unreachable: t`unreachable{:server}`,
  needsToken: t`needs a token`,
  refused: t`unusable`,
  untrustedFolder: t`untrusted folder`,
};
const serverTitles = [t`SERVER`, t`FROM`, t`STATE`, t`TOOLS`, t`CONFINED`, t``];
const reached = {nothing: t`reaches nothing`, workspace: t`workspace`, network: t`network`};

export interface ToolsView {
  readonly style: Style;
  readonly width?: number;
}

export function toolsLines(
  {tools, servers, definitionTokens: tokens}: ToolSurvey,
  view: ToolsView,
): string[] {
  const {style, width} = view;
  const rows = tools.map((tool) => [
    tool.name,
    tool.server ?? say(sources[tool.source], style),
    say(risks[tool.risk], style),
    effectsOf(tool, style),
    tool.state === 'offered' ? '' : say(toolStates[tool.state], style),
  ]);
  return [
    ...tableLines(toolTitles, rows, style, width),
    ...(tokens ? ['', tokensLine(tokens, style)] : []),
    ...(servers.length > 0 ? ['', ...serverLines(servers, view)] : []),
  ];
}

function tokensLine({all, sent}: DefinitionTokens, style: Style): string {
  return say(
    t`A request of a worker begins with ${sent.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} tokens of definitions (estimated). The model finds the other tools with find_tools.`,
    style,
  );
}

function serverLines(servers: readonly SurveyedServer[], {style, width}: ToolsView): string[] {
  const rows = servers.map((server) => [
    server.name,
    server.origin,
    say(states[server.state], style),
    server.tools === 0 ? '' : String(server.tools),
    gradeOf(server, style),
    noteOf(server, style),
  ]);
  const omitted = servers.flatMap(({name, omitted: left}) =>
    left.map((why) => oneLine(say(t`  left out of ${name}: ${why}`, style), 300)),
  );
  return [...tableLines(serverTitles, rows, style, width), ...omitted];
}

function gradeOf({grade}: SurveyedServer, style: Style): string {
  if (grade === undefined || grade.kind === 'refused') return '';
  return grade.kind === 'confined' ? grade.by : say(t`no`, style);
}

function noteOf(server: SurveyedServer, style: Style): string {
  const {name, state, detail} = server;
  return [detail, say(todoText(state, JSON.stringify(name)), style), gradeNote(server, style)]
    .filter((text) => text !== '')
    .join('; ');
}

/** The command for the next step. */
function todoText(state: SurveyedServer['state'], name: string): Message {
  const trust = `quorate doctor tools --trust ${name}`;
  if (state === 'new')
    return t`the next run starts it; quorate doctor tools --start shows its tools now`;
  if (state === 'changed') return t`read: quorate doctor tools ${name}; then: ${trust}`;
  if (state === 'damaged') return t`${trust}`;
  return state === 'untrustedFolder' ? t`${'quorate config --trust'}` : t``;
}

/** Without the reason that the server itself has reported. */
function gradeNote({grade, detail}: SurveyedServer, style: Style): string {
  if (grade === undefined || grade.kind === 'elsewhere') return '';
  if (grade.kind === 'refused')
    return detail === '' ? say(t`does not start: ${grade.why}`, style) : '';
  if (grade.kind === 'unconfined')
    return say(t`runs code of the folder unconfined: ${grade.why}`, style);
  const {network, unknownFile} = grade;
  if (unknownFile !== undefined)
    return say(t`no network, as it may run ${unknownFile}, which git does not know`, style);
  return network.length > 0
    ? say(t`network: only ${network.join(', ')}`, style)
    : say(t`no network`, style);
}

/** A server with the texts of its tools, for a person who may trust it. */
export function serverDetailLines(
  server: SurveyedServer,
  tools: readonly SurveyedTool[],
  view: ToolsView,
): string[] {
  const {style} = view;
  return [
    ...serverLines([server], view),
    ...tools.flatMap((tool) => [
      '',
      `${style.bold(oneLine(tool.name))}  ${say(risks[tool.risk], style)}, ${effectsOf(tool, style)}`,
      ...tool.description.split('\n').map((line) => `  ${oneLine(line, 1_000)}`),
    ]),
  ];
}

function effectsOf(tool: SurveyedTool, style: Style): string {
  const {reaches, reads, lists, writes, runs, spawns, quotes} = tool;
  return [
    ...(reads || lists ? [say(t`reads files`, style)] : []),
    ...(writes ? [say(t`writes files`, style)] : []),
    ...(runs ? [say(t`runs code`, style)] : []),
    ...(spawns ? [say(t`spawns`, style)] : []),
    reaches === undefined ? say(t`effects not stated`, style) : say(reached[reaches], style),
    ...(quotes === false ? [] : [say(t`texts of others`, style)]),
  ].join(', ');
}
