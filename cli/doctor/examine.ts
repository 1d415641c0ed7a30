/** The doctor on this person's configuration, with the models of the launcher. */

import {toPrices, toProviders} from '../../actors/config/providers.ts';
import {createOfflineModel} from '../../actors/model/offline/offline.ts';
import {createRouter} from '../../actors/model/router.ts';
import {doctor, type DoctorOptions, type DoctorReport} from '../doctor.ts';

export async function examine(options: Omit<DoctorOptions, 'router'>): Promise<DoctorReport> {
  const {config} = options.loaded;
  const router = createRouter({
    providers: toProviders(config),
    prices: toPrices(config),
    extra: [createOfflineModel()],
    env: options.env,
  });
  return await doctor({...options, router});
}
