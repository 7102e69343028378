import Type, { type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'

/** A group of disks from which volumes take their space. */
interface VolumeGroup {
  readonly name: string
  readonly size_bytes: number
  readonly free_bytes: number
}

/** A volume, and what is on it. */
export interface LogicalVolume {
  readonly name: string
  readonly group: string
  readonly path: string
  readonly size_bytes: number
  /** Where its file system is mounted; empty if it is not. */
  readonly mount: string
  /** Empty if it is not mounted. */
  readonly file_system: string
}

export interface Storage {
  readonly groups: readonly VolumeGroup[]
  readonly volumes: readonly LogicalVolume[]
}

const limits = { timeoutMs: 20_000, maxBytes: 1024 * 1024 }
/** Of lvmreport(7): numbers in bytes without a unit. */
const format = ['--reportformat', 'json', '--units', 'b', '--nosuffix']

const groupColumns = { vg_name: Type.String(), vg_size: Type.String(), vg_free: Type.String() }
const volumeColumns = {
  lv_name: Type.String(),
  vg_name: Type.String(),
  lv_size: Type.String(),
  lv_path: Type.String(),
  lv_dm_path: Type.String(),
}
const Groups = reportOf(Type.Object({ vg: Type.Array(Type.Object(groupColumns)) }))
const Volumes = reportOf(Type.Object({ lv: Type.Array(Type.Object(volumeColumns)) }))

function reportOf<Rows extends TSchema>(rows: Rows) {
  return Type.Object({ report: Type.Array(rows) })
}

type Command = readonly [string, ...string[]]
const listGroups: Command = ['vgs', ...format, '-o', Object.keys(groupColumns).join()]
const listVolumes: Command = ['lvs', ...format, '-o', Object.keys(volumeColumns).join()]

/** Lists the groups and volumes of LVM; undefined where it is not installed. */
export async function readStorage(host: Pick<Host, 'run' | 'files'>): Promise<Storage | undefined> {
  const [groups, volumes] = await Promise.all([
    report(host, listGroups, Groups),
    report(host, listVolumes, Volumes),
  ])
  if (groups === undefined || volumes === undefined) return undefined
  const mounts = await readMounts(host)
  return {
    groups: groups.report
      .flatMap(({ vg }) => vg)
      .map((each) => ({
        name: each.vg_name,
        size_bytes: Number(each.vg_size),
        free_bytes: Number(each.vg_free),
      })),
    volumes: volumes.report
      .flatMap(({ lv }) => lv)
      .filter(({ lv_path }) => lv_path !== '') // a pool has no device
      .map((each) => {
        const mounted = mounts.find(({ device }) => device === each.lv_dm_path || device === each.lv_path)
        return {
          name: each.lv_name,
          group: each.vg_name,
          path: each.lv_path,
          size_bytes: Number(each.lv_size),
          mount: mounted?.mount ?? '',
          file_system: mounted?.type ?? '',
        }
      }),
  }
}

async function report<Schema extends TSchema>(
  { run }: Pick<Host, 'run'>,
  argv: Command,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  const { code, stdout, stderr } = await run(argv, limits)
  if (code === 127) return undefined
  if (code !== 0) throw Unavailable(`${argv[0]}: ${stderr.trim().slice(0, 500)}`)
  const parsed: unknown = JSON.parse(stdout || '{"report":[]}')
  if (!Check(schema, parsed)) throw Unavailable(`${argv[0]} printed something unexpected`)
  return parsed
}

/** The mounts of the host, the device of each first (proc_mounts(5)). */
async function readMounts({ files }: Pick<Host, 'files'>) {
  const text = (await files.read('/proc/self/mounts')) ?? ''
  return text.split('\n').map((line) => {
    const [device = '', mount = '', type = ''] = line
      .split(' ')
      .map((field) =>
        field.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
      )
    return { device, mount, type }
  })
}
