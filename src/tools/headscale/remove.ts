import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import {
  configurationDirectory,
  configurationPath,
  dataDirectory,
  keyPath,
  programPath,
  unitPath,
} from './layout.ts'

/** The step that removes the stopped control server with its data. */
export const removeServer = ({
  files,
  services,
}: Pick<Host, 'files' | 'services'>): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'headscale.remove',
    plan: () => ({
      title: 'Remove the control server, its users, nodes, keys and policy',
      details: [programPath, configurationPath, unitPath, dataDirectory, keyPath],
    }),
    why: 'its data is deleted: every node has to join again',
    act: async () => {
      for (const path of [unitPath, programPath, configurationPath, keyPath]) await files.remove(path)
      await files.removeDirectory(configurationDirectory)
      await files.removeTree(dataDirectory)
      await services.reloadUnits()
      return null
    },
    isDone: async () => {
      const paths = [unitPath, programPath, configurationPath, keyPath, dataDirectory]
      const left = (await Promise.all(paths.map((path) => files.facts(path)))).filter(Boolean)
      return left.length === 0 || (left.length === paths.length ? false : undefined)
    },
  })
