import { randomBytes } from 'node:crypto'
import { type Change, change, type RowWrite, type Step, step } from '../../core/change.ts'
import { gatewayPort, textAt, valueAt, withValue } from '../../tools/openclaw/index.ts'
import type { AreaPort } from '../firewall/index.ts'
import type { ConsoleHealth, ConsoleStatus } from './console-model.ts'
import { addressesOf, hostPart } from './console-origins.ts'
import { type Assistant, assistantLock } from './context.ts'
import { editAssistant, isRunning, loadAssistant, loadConfig, restartSteps } from './edit.ts'
import { gatewayConfig } from './owned.ts'
import { ConsoleOff, PortTaken } from './problems.ts'
import { certificateSteps } from './setup.ts'
import { type AssistantRow, assistant } from './store.ts'

/** The file of the console among those of websites, and its name in their place. */
export const siteName = 'hostreeve-assistant'

const switchPath = 'gateway.controlUi.enabled'
const originsPath = 'gateway.controlUi.allowedOrigins'

/** Reads whether the console is served, and where. */
export async function readConsole(on: Assistant): Promise<ConsoleStatus> {
  const row = await on.queries.find()
  const enabled = row !== undefined && (await isEnabled(on))
  const token = row === undefined ? undefined : textAt(await on.tool.readConfig(), 'gateway.auth.token')
  const running = enabled && (await on.tool.probePage()).isOk
  const port = row?.lan_port ?? null
  return {
    enabled,
    running,
    url: `http://127.0.0.1:${on.tool.port}/`,
    lan: port !== null,
    lan_port: port,
    lan_url: port === null ? null : `${originOf(port)}/`,
    ...(token !== undefined && { token }),
  }
}

/** OpenClaw serves it unless it is told not to. */
const isEnabled = async ({ tool }: Assistant): Promise<boolean> =>
  valueAt(await tool.readConfig(), switchPath) !== false

const originOf = (port: number): string => `https://${hostPart()}:${port}`

/** The addresses by which browsers may reach the console: those of the panel. */
async function originsOf({ files, certificate }: Assistant, port: number): Promise<readonly string[]> {
  const addresses = addressesOf(await files.read(certificate.cert))
  return addresses.map((each) => `https://${each}${port === 443 ? '' : `:${port}`}`)
}

/** Checks each part on which the console depends. */
export async function checkConsole(on: Assistant): Promise<ConsoleHealth> {
  const { tool, queries, nginx } = on
  const row = await queries.find()
  const running = await isRunning(on)
  const [gateway, ready, page] = await Promise.all([tool.probeLive(), tool.probeReady(), tool.probePage()])
  const checks = [
    { name: 'service', ok: running, detail: running ? 'runs' : 'The service of the assistant does not run' },
    { name: 'gateway', ok: gateway.isOk, detail: gateway.detail },
    { name: 'ready', ok: ready.isOk, detail: ready.detail },
    { name: 'page', ok: page.isOk, detail: page.detail },
  ]
  if (row?.lan_port) {
    const state = await nginx.stateOf(siteName, contentFor(on, row.lan_port))
    checks.push({ name: 'lan', ok: state === 'as wanted', detail: `The file of the web server is ${state}` })
  }
  return { healthy: checks.every(({ ok }) => ok), checks }
}

/** Has the assistant serve the console, and starts the assistant if it is stopped. */
export async function startConsole(on: Assistant, now: Date): Promise<Change<{ success: true }>> {
  const config = await loadConfig(on)
  const summary = 'Start the console of the assistant'
  const isUp = await isRunning(on)
  if (isUp && (await isEnabled(on)))
    return change({ summary, locks: [assistantLock], reply: { success: true } as const })
  const { switchProgram, awaitReady } = on.tool.steps
  return editAssistant(
    on,
    {
      summary,
      ...(!(await isEnabled(on)) && { config: withValue(config, switchPath, true) }),
      steps: isUp ? [] : [step(switchProgram, { verb: 'start' }), step(awaitReady, null)],
      reply: { success: true },
    },
    now,
  )
}

/** Has the assistant serve no console any more, neither on this host nor to the network; the assistant goes on. */
export async function stopConsole(on: Assistant, now: Date): Promise<Change<{ success: true }>> {
  const row = await loadAssistant(on)
  return editAssistant(
    on,
    {
      summary: 'Stop the console of the assistant',
      config: withValue(await loadConfig(on), switchPath, false),
      ...hidden(on, row),
      reply: { success: true },
    },
    now,
  )
}

/** The step and the write that hide the console from the network; none if it is hidden. */
function hidden(
  { nginx }: Assistant,
  row: AssistantRow,
): { readonly steps?: readonly Step[]; readonly rows?: readonly RowWrite[] } {
  if (row.lan_port === null) return {}
  return {
    steps: [step(nginx.steps.writeSites, { sites: [{ domain: siteName, content: null }], overwrite: true })],
    rows: [assistant.update(row, { lan_port: null })],
  }
}

/** Restarts the assistant, which serves the console. */
export async function restartConsole(on: Assistant): Promise<Change<{ success: true }>> {
  await assertEnabled(on)
  return change({
    summary: 'Restart the console of the assistant',
    locks: [assistantLock],
    steps: restartSteps(on),
    reply: { success: true },
  })
}

async function assertEnabled(on: Assistant): Promise<AssistantRow> {
  const row = await loadAssistant(on)
  if (!(await isEnabled(on))) throw ConsoleOff()
  return row
}

/** Writes again what the console depends on: the unit, the gateway's part of the configuration, the certificate and the web server's file. */
export async function fixConsole(on: Assistant, now: Date): Promise<Change<{ success: true }>> {
  const row = await loadAssistant(on)
  const { steps } = on.tool
  const version = await on.tool.currentVersion()
  const config = await loadConfig(on)
  const token = textAt(config, 'gateway.auth.token') ?? randomBytes(32).toString('base64url')
  const { gateway } = gatewayConfig(on, token)
  const repaired = { ...config, gateway }
  return editAssistant(
    on,
    {
      summary: 'Repair the console of the assistant',
      config:
        row.lan_port === null
          ? repaired
          : withValue(repaired, originsPath, await originsOf(on, row.lan_port)),
      steps: [
        ...(version === undefined ? [] : [step(steps.writeUnit, { version })]),
        ...(await certificateSteps(on)),
        ...(row.lan_port === null ? [] : [servingStep(on, row.lan_port, true)]),
        step(steps.switchProgram, { verb: 'enable' }),
        ...((await isRunning(on))
          ? []
          : [step(steps.switchProgram, { verb: 'start' }), step(steps.awaitReady, null)]),
      ],
      reply: { success: true },
    },
    now,
  )
}

/** Shows the console to the network, over TLS with the panel's certificate; the firewall opens the port. */
export async function enableLan(
  on: Assistant,
  { port }: { readonly port: number },
  now: Date,
): Promise<Change<{ success: true }>> {
  const row = await assertEnabled(on)
  if (port === gatewayPort || port === on.tool.port)
    throw PortTaken(`port: ${port} is that of the assistant itself: choose another one`)
  await on.nginx.tool.assertAvailable()
  return editAssistant(
    on,
    {
      summary: `Show the console of the assistant to the network on port ${port}`,
      config: withValue(await loadConfig(on), originsPath, await originsOf(on, port)),
      steps: [servingStep(on, port, false)],
      rows: [assistant.update(row, { lan_port: port })],
      reply: { success: true },
    },
    now,
  )
}

/** Hides the console from the network; it is served on this host. */
export async function disableLan(on: Assistant, now: Date): Promise<Change<{ success: true }>> {
  const row = await loadAssistant(on)
  return editAssistant(
    on,
    {
      summary: 'Hide the console of the assistant from the network',
      config: withValue(await loadConfig(on), originsPath, undefined),
      ...hidden(on, row),
      reply: { success: true },
    },
    now,
  )
}

const contentFor = ({ nginx, tool, certificate }: Assistant, port: number): string =>
  nginx.renderGateway({ port, upstream: tool.port, certificate })

const servingStep = (on: Assistant, port: number, overwrite: boolean): Step =>
  step(on.nginx.steps.writeSites, { sites: [{ domain: siteName, content: contentFor(on, port) }], overwrite })

/** The port that the firewall keeps open: that of the console, while the network reaches it. */
export async function portsOfAssistant({
  queries,
}: Pick<Assistant, 'queries'>): Promise<readonly AreaPort[]> {
  const port = (await queries.find())?.lan_port
  return port ? [{ port, protocol: 'tcp', name: 'Assistant', reason: 'Its console' }] : []
}
