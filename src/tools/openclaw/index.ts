import type { Found } from '../../core/tool.ts'
import { type Opening, tool } from '../tool.ts'
import { makeAccount, removeAccount } from './account.ts'
import { textAt } from './config-paths.ts'
import { readCrontab, writeCrontab } from './crontab.ts'
import { parseEnvironment, type Variables } from './environment-file.ts'
import { askGateway } from './gateway/ask.ts'
import { type ChatRequest, openChat } from './gateway/chat.ts'
import { approvePairing, listDevices, listPairings } from './gateway/pairing.ts'
import { clearSessions, lastReply, listSessions } from './gateway/sessions.ts'
import { awaitReady, probe } from './health.ts'
import { type Config, parseConfig } from './json5.ts'
import {
  accountName,
  configPath,
  environmentPath,
  gatewayPort,
  nodePath,
  programEnvironment,
  programPath,
  serviceName,
  unitPath,
} from './layout.ts'
import { NotConfigured } from './problems.ts'
import { installRelease, isInstalled, newestVersion, removeRelease } from './release.ts'
import { writeSettings } from './settings-file.ts'
import { restartOnUndo, switchProgram } from './switch-program.ts'
import { versionIn, writeUnit } from './unit.ts'
import { writeConfig } from './write-config.ts'

export { maskedConfig, textAt, unmaskedConfig, valueAt, withoutSecrets, withValue } from './config-paths.ts'
export { quotedValue, renderEnvironment, type Variables } from './environment-file.ts'
export { NoSuchRequest, type PairingRequest } from './gateway/pairing.ts'
export { type Config, isRecord, parseConfig, renderConfig } from './json5.ts'
export { accountName, channelPluginPath, defaultVersion, gatewayPort, isVersion } from './layout.ts'
export {
  AuthFailed,
  AuthRejected,
  ChallengeFailed,
  ConfigRejected,
  ConfigUnreadable,
  CrontabFailed,
  GatewayFailed,
  GatewayUnavailable,
  InstallFailed,
  MaskMisplaced,
  NotConfigured,
} from './problems.ts'

export interface OpenclawOptions {
  /** The port of the gateway; that of a stand-in in tests. */
  readonly port?: number
}

/** OpenClaw, the assistant: a gateway on loopback that runs under an account of its own. */
export const openclaw = tool({
  name: 'openclaw',
  title: 'OpenClaw',
  packages: ['npm'], // it installs OpenClaw with the Node that it needs
  service: serviceName,
  isOptional: true,
  open: ({ host: { files, connect } }: Opening, { port = gatewayPort }: OpenclawOptions = {}) => {
    const readConfig = async (): Promise<Config | undefined> => {
      const text = await files.read(configPath)
      return text === undefined ? undefined : parseConfig(text)
    }
    const token = async () => {
      const found = textAt(await readConfig(), 'gateway.auth.token')
      if (found === undefined) throw NotConfigured()
      return found
    }
    const ask = async (method: string, params: object = {}) =>
      askGateway({ port, token: await token() }, method, params)
    return {
      port,
      readConfig,
      token,
      ask,
      http: connect.http({ name: 'OpenClaw', at: { port }, timeoutMs: 5000 }),
    }
  },
  detect,
  steps: ({ host, ask, http }) => ({
    installRelease: installRelease(host),
    removeRelease: removeRelease(host),
    makeAccount: makeAccount(host.accounts),
    removeAccount: removeAccount(host.accounts),
    writeUnit: writeUnit(host),
    writeSettings: writeSettings(host),
    writeConfig: writeConfig(host),
    writeCrontab: writeCrontab(host),
    switchProgram: switchProgram(host.services),
    restartOnUndo: restartOnUndo(host.services),
    awaitReady: awaitReady(http),
    clearSessions: clearSessions(ask),
    approvePairing: approvePairing(ask),
  }),
  verbs: ({ host, port, readConfig, token, ask, http }) => ({
    port,
    /** The configuration; undefined if there is none. */
    readConfig,
    readConfigText: () => host.files.read(configPath),
    /** The secrets of the assistant, by the names of their variables. */
    readEnvironment: async (): Promise<Variables> =>
      parseEnvironment((await host.files.read(environmentPath)) ?? ''),
    /** The version that the unit starts; undefined if the assistant is not set up. */
    currentVersion: async () => versionIn(await host.files.read(unitPath)),
    isInstalled: (version: string) => isInstalled(host, version),
    newestVersion: () => newestVersion(host.run),
    /** Returns whether its service runs, and since when. */
    serviceState: async () => {
      const { active, enabled, started_at, memory_bytes } = await host.services.status(serviceName)
      return { active, enabled, started_at, memory_bytes }
    },
    probeLive: () => probe(http, '/healthz'),
    probeReady: () => probe(http, '/readyz'),
    probePage: () => probe(http, '/', true),
    listSessions: () => listSessions(ask),
    lastReply: (sessionKey: string) => lastReply(ask, sessionKey),
    listPairings: (channel: string) => listPairings(ask, channel),
    listDevices: () => listDevices(ask),
    /** Sends a message, and returns the events of its answer. */
    openChat: async (asked: ChatRequest, signal: AbortSignal) =>
      openChat({ port, token: await token(), signal }, asked),
    readCrontab: () => readCrontab(host),
    /** The program that shows the assistant on a terminal; it reads the token from the configuration. */
    textConsole: (version: string) => ({
      account: accountName,
      argv: [
        host.files.real(nodePath(version)),
        `--env-file=${host.files.real(environmentPath)}`,
        host.files.real(programPath(version)),
        'tui',
        '--session',
        'main',
      ] as const,
      env: programEnvironment,
    }),
  }),
})

/** The files of Debian's package, and of one that was installed by hand: npm itself takes half a second to tell its version. */
const npmPaths = ['/usr/bin/npm', '/usr/local/bin/npm'] as const

async function detect({ host: { files } }: Opening): Promise<Found> {
  const version = versionIn(await files.read(unitPath)) ?? null
  const found = await Promise.all(npmPaths.map((path) => files.facts(path)))
  const hasNpm = found.some((facts) => facts !== undefined)
  return {
    present: hasNpm,
    version,
    healthy: hasNpm,
    reason: hasNpm ? null : 'npm is not installed, by which OpenClaw is installed',
  }
}
