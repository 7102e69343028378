import type { Found } from '../../core/tool.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Opening, tool } from '../tool.ts'
import { awaitAnswer } from './await-answer.ts'
import { openClient, readAdvertised, readLocalNode } from './client.ts'
import { service as serviceName, version } from './layout.ts'
import { isUnpacked, publisherOf, readRelease, unpack } from './program.ts'
import { advertise, join, removeNode, writeFiles } from './steps.ts'

export { ClientFailed, DownloadFailed as ClientDownloadFailed, UnpackFailed } from './problems.ts'

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable' | 'disable'
}

/** tailscale, by which this host is a node of the mesh itself. */
export const tailscale = tool({
  name: 'tailscale',
  title: 'tailscale',
  packages: [],
  service: serviceName,
  isOptional: true,
  open: ({ host }: Opening) => ({ client: openClient(host) }),
  detect,
  steps: ({ host, service, client }) => ({
    unpack: unpack(host),
    writeFiles: writeFiles(host),
    switchProgram: serviceStep<SwitchArgs>(serviceOf(host.services, service), {
      name: 'tailscale.switch-program',
      title: 'the mesh client',
      reloads: 'tailscale',
    }),
    awaitAnswer: awaitAnswer(client),
    join: join(host, client),
    advertise: advertise(client),
    remove: removeNode(host),
  }),
  verbs: ({ host, service, client }) => ({
    /** True if the programs are there. */
    isUnpacked: () => isUnpacked(host),
    /** Reads what the archive must be that the base addresses offer. */
    readRelease: (bases: readonly string[]) => readRelease(publisherOf(host.fetch, bases)),
    /** Returns whether the host knows its service. */
    hasService: async () => (await host.services.list()).some(({ name }) => name === service),
    readLocalNode: () => readLocalNode(client),
    readAdvertised: () => readAdvertised(client),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  if (!(await isUnpacked(host)))
    return { present: false, version: null, healthy: false, reason: 'The mesh client is not installed' }
  return { present: true, version, healthy: true, reason: null }
}
