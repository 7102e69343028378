import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { isOwn, unit } from './configuration.ts'
import { configurationDirectory, configurationPath, dataDirectory, programPath, unitPath } from './layout.ts'
import { ForeignFiles } from './problems.ts'

interface FilesArgs {
  readonly configuration: string
}

interface FilesState {
  readonly configuration?: string
  readonly unit?: string
  /** The directory of its data, which only root can read. */
  readonly hasData?: true
}

/** The step that writes the configuration and the unit of the control server, and makes the directory of its data. */
export const writeFiles = ({
  files,
  services,
}: Pick<Host, 'files' | 'services'>): StepKind<FilesArgs, Was<FilesState>, null> => {
  const read = () => readState(files)
  return stateStep<FilesArgs, FilesState>({
    name: 'headscale.write-files',
    plan: () => ({
      title: `Write ${configurationPath} and ${unitPath}`,
      details: [`Its data is in ${dataDirectory}, which only root can read`],
    }),
    preview: async ({ configuration }) => changedFrom(await read(), { configuration, unit }),
    read,
    refuse: (_args, now) => refuseForeign(now),
    changed: (_args, was, wanted) => changedFrom(was, wanted),
    wanted: ({ configuration }) => ({ configuration, unit, hasData: true }),
    write: async (_args, state = {}) => {
      if (state.hasData) await files.makeDirectory(dataDirectory, { mode: 0o700 })
      else await files.removeTree(dataDirectory)
      if (state.configuration === undefined) {
        await files.remove(configurationPath)
        await files.removeDirectory(configurationDirectory)
      } else {
        await files.makeDirectory(configurationDirectory)
        await files.write(configurationPath, state.configuration)
      }
      if (state.unit === undefined) await files.remove(unitPath)
      else await files.write(unitPath, state.unit)
      await services.reloadUnits()
    },
  })
}

async function readState(files: Host['files']): Promise<FilesState> {
  const [configuration, own] = [await files.read(configurationPath), await files.read(unitPath)]
  const hasData = (await files.facts(dataDirectory)) !== undefined
  return {
    ...(configuration !== undefined && { configuration }),
    ...(own !== undefined && { unit: own }),
    ...(hasData && { hasData }),
  }
}

/** Refuses to take the places of a headscale that others installed. */
function refuseForeign(now?: FilesState): void {
  const path = foreignPath(now)
  if (path !== undefined) throw ForeignFiles(`${path} is not of the panel: move it away first`)
}

function foreignPath({ configuration, unit: former }: FilesState = {}): string | undefined {
  if (configuration !== undefined && !isOwn(configuration)) return configurationPath
  return former !== undefined && !isOwn(former) ? unitPath : undefined
}

/** Returns a file of a headscale that others installed; undefined if there is none. */
export async function findForeign({ files }: Pick<Host, 'files'>): Promise<string | undefined> {
  const now = await readState(files)
  const path = foreignPath(now)
  if (path !== undefined || now.configuration !== undefined) return path
  return (await files.facts(programPath)) === undefined ? undefined : programPath
}

function changedFrom(was: FilesState = {}, wanted: FilesState = {}) {
  const texts = [
    { path: configurationPath, before: was.configuration, after: wanted.configuration },
    { path: unitPath, before: was.unit, after: wanted.unit },
  ]
  return {
    files: texts
      .map(({ path, before, after }) => ({ path, diff: unifiedDiff(path, before, after) }))
      .filter(({ diff }) => diff !== ''),
  }
}
