/** The tools of a folder and its MCP servers as tables, or one server with the texts of its tools. */

import type {DefinitionTokens} from '../../tools/definition-tokens.ts';
import type {SurveyedServer, SurveyedTool, ToolSurvey} from '../../tools/survey.ts';
import type {Style} from '../style.ts';
import {tableLines} from '../tables/table.ts';
import {oneLine} from '../text.ts';
import {toolTexts} from './tool-texts.ts';

export interface ToolsView {
  readonly style: Style;
  readonly width?: number;
}

export function toolsLines(
  {tools, servers, definitionTokens: tokens}: ToolSurvey,
  view: ToolsView,
): string[] {
  const {style, width} = view;
  const texts = toolTexts(style);
  const rows = tools.map((tool) => [
    tool.name,
    tool.server ?? texts.sources[tool.source],
    texts.risks[tool.risk],
    effectsOf(tool, style),
    tool.state === 'offered' ? '' : texts.toolStates[tool.state],
  ]);
  return [
    ...tableLines(texts.tools, rows, style, width),
    ...(tokens ? ['', tokensLine(tokens, style)] : []),
    ...(servers.length > 0 ? ['', ...serverLines(servers, view)] : []),
  ];
}

function tokensLine({all, sent}: DefinitionTokens, style: Style): string {
  return toolTexts(style).tokens(sent.toLocaleString('en-US'), all.toLocaleString('en-US'));
}

function serverLines(servers: readonly SurveyedServer[], {style, width}: ToolsView): string[] {
  const texts = toolTexts(style);
  const rows = servers.map((server) => [
    server.name,
    server.origin,
    texts.states[server.state],
    server.tools === 0 ? '' : String(server.tools),
    gradeOf(server, style),
    noteOf(server, style),
  ]);
  const omitted = servers.flatMap(({name, omitted: left}) =>
    left.map((why) => oneLine(texts.omitted(name, why), 300)),
  );
  return [...tableLines(texts.servers, rows, style, width), ...omitted];
}

function gradeOf({grade}: SurveyedServer, style: Style): string {
  if (grade === undefined || grade.kind === 'refused') return '';
  return grade.kind === 'confined' ? grade.by : toolTexts(style).grades.none;
}

function noteOf(server: SurveyedServer, style: Style): string {
  const {name, state, detail} = server;
  const todo = toolTexts(style).todo[state]?.(JSON.stringify(name)) ?? '';
  return [detail, todo, gradeNote(server, style)].filter((text) => text !== '').join('; ');
}

/** Without the reason that the server itself has reported. */
function gradeNote({grade, detail}: SurveyedServer, style: Style): string {
  const {grades} = toolTexts(style);
  if (grade === undefined || grade.kind === 'elsewhere') return '';
  if (grade.kind === 'refused') return detail === '' ? grades.refused(grade.why) : '';
  if (grade.kind === 'unconfined') return grades.known(grade.why);
  const {network, unknownFile} = grade;
  if (unknownFile !== undefined) return grades.unknown(unknownFile);
  return network.length > 0 ? grades.network(network.join(', ')) : grades.closed;
}

/** A server with the texts of its tools, for a person who may trust it. */
export function serverDetailLines(
  server: SurveyedServer,
  tools: readonly SurveyedTool[],
  view: ToolsView,
): string[] {
  const {style} = view;
  const texts = toolTexts(style);
  return [
    ...serverLines([server], view),
    ...tools.flatMap((tool) => [
      '',
      `${style.bold(oneLine(tool.name))}  ${texts.risks[tool.risk]}, ${effectsOf(tool, style)}`,
      ...tool.description.split('\n').map((line) => `  ${oneLine(line, 1_000)}`),
    ]),
  ];
}

function effectsOf(tool: SurveyedTool, style: Style): string {
  const {reaches, reads, lists, writes, runs, spawns, quotes} = tool;
  const {effects} = toolTexts(style);
  return [
    ...(reads || lists ? [effects.reads] : []),
    ...(writes ? [effects.writes] : []),
    ...(runs ? [effects.runs] : []),
    ...(spawns ? [effects.spawns] : []),
    reaches === undefined ? effects.unknown : effects.reaches[reaches],
    ...(quotes === false ? [] : [effects.quotes]),
  ].join(', ');
}
