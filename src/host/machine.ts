import { readFile, stat, statfs } from 'node:fs/promises'
import os from 'node:os'
import type { Files } from './files.ts'

/** The figures of the host itself. */
export interface Machine {
  /** Reads a small text file of the system, such as one under /proc; empty when it does not exist. */
  text(path: string): Promise<string>
  disks(): Promise<readonly DiskUse[]>
  /** The host names of this machine in lower case: the kernel's, and those on the same line of /etc/hosts (hosts(5)). */
  names(): Promise<readonly string[]>
  /** The file systems on disks of this host. Those of a network are left out: one that hangs would block its reader. */
  localDisks(): Promise<readonly DiskUse[]>
  kernel(): {
    hostname: string
    kernel: string
    architecture: string
    cpu: { model: string; cores: number }
    uptime_seconds: number
    load: number[]
  }
  process(): { uptime_seconds: number; memory_bytes: number; user: string; is_root: boolean }
}

export interface DiskUse {
  readonly mount: string
  readonly device: string
  readonly type: string
  readonly size_bytes: number
  readonly used_bytes: number
  readonly available_bytes: number
}

const realFileSystems = new Set([
  'ext2',
  'ext3',
  'ext4',
  'xfs',
  'btrfs',
  'zfs',
  'f2fs',
  'vfat',
  'overlay',
  'nfs',
  'nfs4',
  'cifs',
])

/** Reads the figures of the running host. */
export function openMachine(files: Pick<Files, 'read'>): Machine {
  return {
    text: async (path) =>
      readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw error
      }),
    disks: () => readDisks(),
    localDisks: () => readDisks(isLocal),
    names: async () => parseNames((await files.read('/etc/hosts')) ?? '', os.hostname()),
    kernel: () => {
      const processors = os.cpus()
      return {
        hostname: os.hostname(),
        kernel: `${os.type()} ${os.release()}`,
        architecture: os.arch(),
        cpu: { model: (processors[0]?.model ?? 'unknown').trim() || 'unknown', cores: processors.length },
        uptime_seconds: Math.floor(os.uptime()),
        load: os.loadavg(),
      }
    },
    process: () => ({
      uptime_seconds: Math.floor(process.uptime()),
      memory_bytes: process.memoryUsage.rss(),
      user: userName(),
      is_root: process.getuid?.() === 0,
    }),
  }
}

/** The names that /etc/hosts gives a machine together with its own; `localhost` is no name of one machine. */
export function parseNames(hosts: string, hostname: string): readonly string[] {
  const own = hostname.toLowerCase()
  const lines = hosts
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/).slice(1))
  const names = new Set([own, ...lines.filter((line) => line.includes(own)).flat()])
  names.delete('localhost')
  return [...names]
}

/** The Linux user of this process; its uid where no account has it. */
function userName(): string {
  try {
    return os.userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

const networkFileSystems = new Set(['nfs', 'nfs4', 'cifs'])

/** The layers of containers are on the disks of other mounts, except where the panel itself runs in one. */
const isLocal = ({ mount, type }: Mount) =>
  !networkFileSystems.has(type) && (type !== 'overlay' || mount === '/')

type Mount = Pick<DiskUse, 'device' | 'mount' | 'type'>

async function readDisks(isRead: (mount: Mount) => boolean = () => true): Promise<readonly DiskUse[]> {
  const mounts = parseMounts(await readFile('/proc/self/mounts', 'utf8')).filter(isRead)
  const disks = await Promise.all(mounts.map(measure))
  return disks.filter((disk) => disk !== undefined)
}

/** Mounts of real file systems, each device once (fstab(5) escapes spaces as \040). */
export function parseMounts(text: string): readonly Mount[] {
  const seen = new Set<string>()
  return text.split('\n').flatMap((line) => {
    const [device = '', mount = '', type = ''] = line
      .split(' ')
      .map((field) =>
        field.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
      )
    if (!realFileSystems.has(type) || seen.has(device === 'overlay' ? mount : device)) return []
    seen.add(device === 'overlay' ? mount : device)
    return [{ device, mount, type }]
  })
}

async function measure({ device, mount, type }: Mount): Promise<DiskUse | undefined> {
  try {
    if (!(await stat(mount)).isDirectory()) return undefined // a single file mounted over another is not a disk
    const { bsize, blocks, bfree, bavail } = await statfs(mount)
    return {
      mount,
      device,
      type,
      size_bytes: blocks * bsize,
      used_bytes: (blocks - bfree) * bsize,
      available_bytes: bavail * bsize,
    }
  } catch {
    return undefined // a mount that was removed, or that this user may not see
  }
}
