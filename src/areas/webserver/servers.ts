import { Problem, Unavailable } from '../../core/problem.ts'
import { missingInApache } from '../../tools/apache/index.ts'
import { type WebServerName, webServerNames } from '../../tools/web-server.ts'
import { webServices } from '../../tools/web-services.ts'
import type { WebServers } from './context.ts'
import type { WebServers as Shown } from './model.ts'
import { servedSites } from './served-sites.ts'
import { titles } from './titles.ts'

const missing = { nginx: [], apache: missingInApache } as const
const mostObstacles = 100

/** Reads which web server serves the websites, and what prevents another from doing so. */
export async function readWebServers(on: WebServers): Promise<Shown> {
  const { active } = await on.queries.chosen()
  return {
    active,
    available: await Promise.all(webServerNames.map((name) => readServer(on, name, active))),
  }
}

async function readServer(
  on: WebServers,
  name: WebServerName,
  active: WebServerName,
): Promise<Shown['available'][number]> {
  const { present, version, healthy, reason } = await on.servers[name].detect()
  const isActive = name === active
  return {
    name,
    title: titles[name],
    version: present ? version : null,
    running: present && healthy,
    // one that rests is not healthy, and can be switched to where it is set up
    reason: isActive ? (reason ?? '') : await notReady(on, name),
    missing: [...missing[name]],
    obstacles: isActive ? [] : (await obstaclesOf(on, active, name)).slice(0, mostObstacles),
  }
}

async function notReady(on: WebServers, name: WebServerName): Promise<string> {
  try {
    await assertReady(on, name)
    return ''
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** Throws for a web server that is not installed or set up, or that an administrator keeps from starting. */
export async function assertReady(on: WebServers, name: WebServerName): Promise<void> {
  await on.servers[name].tool.assertAvailable()
  if (await on.isMasked(name)) {
    const service = webServices[name]
    throw Unavailable(
      `the service ${service} is masked, so that nothing starts it: run systemctl unmask ${service}`,
    )
  }
}

/** Lists the websites that prevent a switch, with their reasons. */
export async function obstaclesOf(on: WebServers, from: WebServerName, to: WebServerName) {
  const served = await Promise.all(on.partsOf(servedSites).map((part) => part()))
  const found = await Promise.all(served.map((each) => each.obstacles(on.servers[from], on.servers[to])))
  return found.flat()
}
