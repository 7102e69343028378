import { openHost } from '../../host/index.ts'
import { openTools } from '../../tools/open-tools.ts'
import { areas } from '../areas.ts'
import { type Config, placeOfStore } from '../config.ts'
import { openLog } from '../log.ts'
import { openPanel, type Panel } from '../panel.ts'
import { version } from '../version.ts'

/** Opens the store for one command; rejected while a panel runs. */
export async function withStore<Value>(
  config: Config,
  work: (panel: Panel) => Promise<Value>,
): Promise<Value> {
  const log = openLog('warn')
  const host = openHost({ log })
  const settings = {
    version,
    ...placeOfStore(config),
    firstAdmin: { email: config.admin_email, password: undefined },
    homeRoot: '/home',
    configuration: config.configuration,
  }
  const panel = await openPanel({ areas, host, tools: openTools(host), settings, log })
  try {
    return await work(panel)
  } finally {
    await panel.close()
  }
}
