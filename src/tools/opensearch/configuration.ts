import { totalmem } from 'node:os'
import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { configurationPath, heapPath, pluginsPath } from './layout.ts'

interface ConfigurationArgs {
  /** In MiB. */
  readonly heapMib: number
}

interface ConfigurationState {
  /** `rendered` for what the panel writes. */
  readonly configuration?: string
  readonly heap?: string
}

const leastMib = 512

/** About a quarter of the memory, from 512 MiB to 4 GiB. */
export const heapOf = (memoryBytes = totalmem()): number =>
  Math.min(4096, Math.max(leastMib, Math.round(memoryBytes / 4 / 1024 / 1024)))

/**
 * Renders the configuration of a single node on loopback. Without the security plugin, its setting is unknown,
 * and OpenSearch does not start.
 */
export const renderConfiguration = (hasSecurity: boolean): string => `# Written by Hostreeve.
cluster.name: hostreeve
node.name: hostreeve-1
path.data: /var/lib/opensearch
path.logs: /var/log/opensearch
network.host: 127.0.0.1
http.port: 9200
discovery.type: single-node
${hasSecurity ? 'plugins.security.disabled: true\n' : ''}`

/** The heap grows from the least size, so that a store of few lines leaves the memory to others. */
const renderHeap = (heapMib: number): string => `# Written by Hostreeve.\n-Xms${leastMib}m\n-Xmx${heapMib}m\n`

/** The step that writes the configuration and the size of the heap. */
export function writeConfiguration({
  files,
}: Pick<Host, 'files'>): StepKind<ConfigurationArgs, Was<ConfigurationState>, null> {
  const read = async () => {
    const [configuration, heap] = await Promise.all([files.read(configurationPath), files.read(heapPath)])
    return configuration === undefined && heap === undefined
      ? undefined
      : { ...(configuration !== undefined && { configuration }), ...(heap !== undefined && { heap }) }
  }
  const hasSecurity = async () =>
    (await files.facts(`${pluginsPath}/opensearch-security`))?.kind === 'directory'
  const wanted = ({ heapMib }: ConfigurationArgs) => ({
    configuration: 'rendered',
    heap: renderHeap(heapMib),
  })
  return stateStep<ConfigurationArgs, ConfigurationState>({
    name: 'opensearch.write-configuration',
    plan: ({ heapMib }) => ({
      title: `Write ${configurationPath}`,
      details: ['A single node listens on 127.0.0.1, port 9200', `The heap has at most ${heapMib} MiB`],
      files: [{ path: heapPath, diff: unifiedDiff(heapPath, undefined, renderHeap(heapMib)) }],
    }),
    read: async () => {
      const found = await read()
      const rendered = renderConfiguration(await hasSecurity())
      return found?.configuration === rendered ? { ...found, configuration: 'rendered' } : found
    },
    wanted,
    write: async (_args, state) => {
      const configuration =
        state?.configuration === 'rendered' ? renderConfiguration(await hasSecurity()) : state?.configuration
      await put(files, configurationPath, configuration)
      await put(files, heapPath, state?.heap)
    },
    notUndone: 'OpenSearch runs with it',
  })
}

const put = (files: Host['files'], path: string, content: string | undefined): Promise<void> =>
  content === undefined ? files.remove(path) : files.write(path, content)
