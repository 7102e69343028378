import type { Files } from '../files.ts'
import type { Run } from '../run.ts'
import { isActive, type Unit } from './unit.ts'

type UnitFolders = Pick<Files, 'list' | 'facts'>

const limits = { timeoutMs: 15_000, maxBytes: 8 * 1024 * 1024 }

/**
 * Lists the loaded services and those that only have a unit file. `show` reads the properties that take
 * systemd one request each, of the running ones.
 */
export async function listUnits(
  { run, files }: { readonly run: Run; readonly files: UnitFolders },
  show: (names: readonly string[]) => Promise<readonly Unit[]>,
): Promise<readonly Unit[]> {
  const [units, others] = await Promise.all([loadedUnits(run), unitFiles(files)])
  const running = units.filter(isActive).map((unit) => unit['Id'] ?? '')
  const shown = running.length === 0 ? [] : await show(running)
  const known = new Map([...others.units, ...units, ...shown].map((unit) => [unit['Id'], unit]))
  return [...known.values()].map((unit) => ({ UnitFileState: others.stateOf(unit), ...unit }))
}

async function loadedUnits(run: Run): Promise<readonly Unit[]> {
  const { stdout } = await run(
    ['systemctl', 'list-units', '--all', '--type=service', '--plain', '--full', '--no-legend', '--no-pager'],
    limits,
  )
  return [...stdout.matchAll(/^\s*(\S+\.service)\s+(\S+)\s+(\S+)\s+(\S+) *(.*)$/gm)].flatMap(
    ([, Id = '', load, ActiveState = '', SubState = '', Description = '']) =>
      load === 'loaded' || load === 'masked' ? [{ Id, ActiveState, SubState, Description }] : [],
  )
}

/** Where unit files are (systemd.unit(5)), for the system. */
const folders = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/run/systemd/generator.late',
  '/usr/lib/systemd/system',
]

/**
 * Finds the services that have a unit file, and those that start with the host. systemd has loaded none that was
 * not needed since its start; to load hundreds, or to let `list-unit-files` find their states, takes seconds.
 */
async function unitFiles(files: UnitFolders) {
  const isService = (name: string) => name.endsWith('.service') && !name.endsWith('@.service')
  const perFolder = await Promise.all(
    folders.map(async (folder) => ({ folder, names: await files.list(folder) })),
  )
  const paths = perFolder.flatMap(({ folder, names }) =>
    names.filter(isService).map((name) => ({ name, path: `${folder}/${name}` })),
  )
  // a link is another name of a unit, or masks it
  const kinds = await Promise.all(paths.map(async ({ path }) => (await files.facts(path))?.kind))
  const ids = new Set(paths.filter((_, index) => kinds[index] === 'file').map(({ name }) => name))
  const wanted = perFolder.flatMap(({ folder, names }) =>
    names.filter((name) => /\.(wants|requires)$/.test(name)).map((name) => `${folder}/${name}`),
  )
  const enabled = new Set((await Promise.all(wanted.map((folder) => files.list(folder)))).flat())
  const units: Unit[] = [...ids].map((Id) => ({
    Id,
    ActiveState: 'inactive',
    SubState: 'dead',
    Description: '',
  }))
  return { units, stateOf: ({ Id = '' }: Unit) => (enabled.has(Id) ? 'enabled' : 'disabled') }
}
