import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import { isGrowable, type LogicalVolume, type Storage } from '../../tools/lvm/index.ts'
import type { VolumesOfHost } from './context.ts'
import type { Extension, LvmStorage } from './model.ts'
import { NoLvm, NoVolume, SizeInvalid } from './problems.ts'

const storageLock = singleLock('lvm')
const units: Readonly<Record<string, number>> = { M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 }

/** Lists the groups and volumes of LVM; none where it is not installed. */
export async function readStorage({ lvm }: VolumesOfHost): Promise<LvmStorage> {
  const found = await lvm.readStorage()
  return {
    installed: found !== undefined,
    reason: reasonOf(found),
    groups: found === undefined ? [] : [...found.groups],
    volumes: (found?.volumes ?? []).map((each) => ({ ...each, is_root: each.mount === '/' })),
  }
}

function reasonOf(found: Storage | undefined): string {
  if (found === undefined) return 'LVM is not installed'
  return found.groups.length === 0 ? 'This host has no volume group' : ''
}

/** Extends a volume, by default that of the root file system, and its file system. */
export async function extendVolume(
  { lvm }: VolumesOfHost,
  { size, volume: wanted }: Extension,
): Promise<Change<{ success: true }>> {
  const found = await lvm.readStorage()
  const reason = reasonOf(found)
  if (found === undefined || reason !== '') throw NoLvm(reason)
  const volume = find(found, wanted)
  assertLarger(found, volume, size)
  const { path, mount, file_system } = volume
  if (mount !== '' && !isGrowable(file_system))
    throw SizeInvalid(`volume: its file system ${file_system} does not grow while it is mounted`)
  return change({
    summary: `Extend ${volume.group}/${volume.name}: ${size}`,
    locks: [storageLock],
    steps: [
      step(lvm.steps.extendVolume, { path, size }),
      ...(mount === '' ? [] : [step(lvm.steps.growFileSystem, { path, mount, file_system })]),
    ],
    ...(mount === '' && { details: ['The volume is not mounted: what is on it stays as large as it is'] }),
    reply: success,
  })
}

function find({ volumes }: Storage, wanted: string | undefined): LogicalVolume {
  const isWanted = ({ group, name, mount }: LogicalVolume) =>
    wanted === undefined ? mount === '/' : `${group}/${name}` === wanted
  const volume = volumes.find(isWanted)
  if (volume !== undefined) return volume
  throw NoVolume(
    wanted === undefined
      ? 'volume: the root file system is not on a logical volume: name one such as vg0/data'
      : `volume: there is no logical volume ${wanted}`,
  )
}

function assertLarger({ groups }: Storage, volume: LogicalVolume, size: string): void {
  const free = groups.find(({ name }) => name === volume.group)?.free_bytes ?? 0
  const amount = Number(/\d+/.exec(size)?.[0]) * (units[size.slice(-1)] ?? 0)
  if (size === '100%FREE') {
    if (free === 0) throw SizeInvalid(`size: the group ${volume.group} has no free space`)
    return
  }
  const more = size.startsWith('+') ? amount : amount - volume.size_bytes
  if (more <= 0)
    throw SizeInvalid(`size: the volume has ${shown(volume.size_bytes)} already: name a larger size`)
  if (more > free)
    throw SizeInvalid(`size: the group ${volume.group} has ${shown(free)} free: use 100%FREE for all of it`)
}

const shown = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GiB`
