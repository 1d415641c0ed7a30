/** The first line of a conversation: version, folder, model, and how to get help. */

import {offlineModel} from '../../actors/config/roles.ts';
import {homeFolder} from '../../tools/home-folder.ts';
import {modelsInEffect, routerOf} from '../config/in-effect.ts';
import type {LoadedConfig} from '../config/load.ts';
import type {Reader} from '../language.ts';
import {oneLine, widthOfText} from '../render/text.ts';
import type {Environment} from '../terminal.ts';
import {version} from '../version.ts';
import {chatTexts} from './texts.ts';

export interface Greeting extends Reader {
  readonly loaded: LoadedConfig;
  readonly env: Environment;
  /** Absolute. */
  readonly workspace: string;
  readonly width: number;
}

/** `quorate 0.1.0 · ~/app · offline model (no key) · /help`. The start of the folder is cut when the row is too short. */
export function greetingLine({loaded, env, workspace, width, ...reader}: Greeting): string {
  const name = `quorate ${version()}`;
  const model = modelText(loaded, env, reader);
  const folder = oneLine(underHome(workspace, homeFolder(env['HOME'])), 1000);
  const room = width - widthOfText([name, '', model, '/help'].join(' · '));
  return [name, pathEnd(folder, room), model, '/help'].filter((part) => part !== '').join(' · ');
}

function modelText(loaded: LoadedConfig, env: Environment, reader: Reader): string {
  const {noModel, offline, offlineNoKey} = chatTexts(reader);
  const {models} = modelsInEffect(loaded, routerOf(loaded, env));
  const model = [models['agent.decision_model'] ?? []].flat()[0];
  if (model === undefined) return noModel;
  if (model !== offlineModel) return oneLine(model, 60);
  return loaded.config.agent.decision_model === 'offline' ? offline : offlineNoKey;
}

function underHome(folder: string, home: string): string {
  if (folder === home) return '~';
  return folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

/** As many of a path's last folders as fit; empty when none does. */
function pathEnd(path: string, room: number): string {
  if (widthOfText(path) <= room) return path;
  const names = path.split('/');
  while (names.length > 0 && widthOfText(names.join('/')) > room - 2) names.shift();
  return names.length === 0 ? '' : `…/${names.join('/')}`;
}
