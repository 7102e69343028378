import type { Found } from '../../core/tool.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Opening, tool } from '../tool.ts'
import { type HeadscaleApi, openApi } from './api.ts'
import { awaitAnswer } from './await-answer.ts'
import { createApiKey, createPreAuthKey, expirePreAuthKey } from './keys.ts'
import { approveRoutes, deleteNode, expireNode } from './nodes.ts'
import { listApiKeys, listNodes, listPreAuthKeys, listUsers } from './objects.ts'
import { makePanelKey } from './panel-key.ts'
import { checkPolicy, readPolicy, setPolicy } from './policy.ts'
import { installProgram, publisherOf, readRelease, readVersion } from './program.ts'
import { reconfigure } from './reconfigure.ts'
import { removeServer } from './remove.ts'
import { readStoredKey } from './stored-key.ts'
import { createUser, deleteUser } from './users.ts'
import { findForeign, writeFiles } from './write-files.ts'

export { renderConfiguration } from './configuration.ts'
export { apiPort, relayPort, subnetV6, version as headscaleVersion, widestSubnet } from './layout.ts'
export { isExpired } from './nodes.ts'
export type { MeshNode, MeshUser } from './objects.ts'
export {
  AddressFailed,
  DownloadFailed,
  ForeignFiles,
  KeyFailed,
  KeyMissing,
  NotServing,
  ServerRefused,
} from './problems.ts'

export interface HeadscaleOptions {
  /** The API; a stand-in in tests. */
  readonly api?: HeadscaleApi
  /** The port of the API on loopback. Default: the one that the panel configures. */
  readonly port?: number
  /** How long it may take to answer after its start. Default: 30 s. */
  readonly startMs?: number
}

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable' | 'disable'
}

/** headscale, the control server of a mesh of tailscale nodes: downloaded, configured, and driven through its API. */
export const headscale = tool({
  name: 'headscale',
  title: 'headscale',
  packages: [],
  service: 'headscale',
  isOptional: true,
  open: ({ host }: Opening, { api, port, startMs = 30_000 }: HeadscaleOptions = {}) => ({
    api: api ?? openApi(host, port),
    startMs,
  }),
  detect,
  steps: ({ host, service, api, startMs }) => ({
    installProgram: installProgram(host),
    writeFiles: writeFiles(host),
    switchProgram: serviceStep<SwitchArgs>(serviceOf(host.services, service), {
      name: 'headscale.switch-program',
      title: 'the control server',
      reloads: 'headscale',
    }),
    awaitAnswer: awaitAnswer(api, startMs),
    makePanelKey: makePanelKey(host),
    reconfigure: reconfigure({ files: host.files, services: host.services, service, api, startMs }),
    createUser: createUser(api),
    deleteUser: deleteUser(api),
    createPreAuthKey: createPreAuthKey(api),
    expirePreAuthKey: expirePreAuthKey(api),
    createApiKey: createApiKey(api),
    expireNode: expireNode(api),
    deleteNode: deleteNode(api),
    approveRoutes: approveRoutes(api),
    setPolicy: setPolicy(api),
    remove: removeServer(host),
  }),
  verbs: ({ host, service, api }) => ({
    /** Returns the version of the installed program; undefined if there is none. */
    installedVersion: () => readVersion(host),
    /** Reads what the program must be that the base addresses offer. */
    readRelease: (bases: readonly string[]) => readRelease(publisherOf(host.fetch, bases)),
    /** Returns a file of a headscale that the panel did not install; undefined if there is none. */
    findForeign: () => findForeign(host),
    /** Returns whether the host knows its service. */
    hasService: async () => (await host.services.list()).some(({ name }) => name === service),
    /** Returns whether its service runs. */
    isRunning: async () =>
      (await host.services.list()).some(({ name, active }) => name === service && active),
    /** Reads the key by which the panel asks the API; undefined if there is none. */
    readStoredKey: () => readStoredKey(host),
    listUsers: () => listUsers(api),
    listNodes: () => listNodes(api),
    listPreAuthKeys: () => listPreAuthKeys(api),
    listApiKeys: () => listApiKeys(api),
    readPolicy: () => readPolicy(api),
    checkPolicy: (policy: string) => checkPolicy(api, policy),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const version = await readVersion(host)
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'The control server is not installed' }
  return { present: true, version, healthy: true, reason: null }
}
