import { webServerNames } from '../../tools/web-server.ts'
import { webServices } from '../../tools/web-services.ts'
import type { WebServers } from './context.ts'
import { titles } from './titles.ts'

/** Returns why the service of a web server cannot be started: another one runs, and has its ports. */
export async function findRunningRival(
  { isRunning }: Pick<WebServers, 'isRunning'>,
  service: string,
): Promise<string | undefined> {
  const own = webServerNames.find((name) => webServices[name] === service)
  if (own === undefined) return undefined
  for (const other of webServerNames)
    if (other !== own && (await isRunning(other)))
      return `${titles[other]} serves the websites and has the ports 80 and 443, which ${titles[own]} needs: switch the web server in the settings`
  return undefined
}
