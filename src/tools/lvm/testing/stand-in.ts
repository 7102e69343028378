import type { Script } from '../../../host/testing/scripted-run.ts'

/** LVM in memory: one group with one volume. */
export interface StandInLvm {
  isInstalled: boolean
  free: number
  size: number
  /** The size of the file system. */
  grown: number
  /** What lvextend and resize2fs print instead of doing their work; empty while they work. */
  refusal: string
  resizeRefusal: string
  readonly script: Script
}

const gib = 1024 ** 3
const named = {
  lv_name: 'root',
  vg_name: 'vg0',
  lv_path: '/dev/vg0/root',
  lv_dm_path: '/dev/mapper/vg0-root',
}

/** Opens LVM in memory: a group of 20 GiB, with a volume of 10 GiB. */
export function standInLvm(): StandInLvm {
  const lvm = {
    isInstalled: true,
    free: 10 * gib,
    size: 10 * gib,
    grown: 10 * gib,
    refusal: '',
    resizeRefusal: '',
  }
  const script: Script = ([program, ...args]) => {
    if (program === 'resize2fs') {
      if (lvm.resizeRefusal !== '') return { code: 1, stderr: lvm.resizeRefusal }
      lvm.grown = lvm.size
      return {}
    }
    if (!['lvs', 'vgs', 'lvextend'].includes(program ?? '')) return undefined
    if (!lvm.isInstalled) return { code: 127 }
    if (args[0] === '--version') return { stdout: '  LVM version:     2.03.16(2) (2022-05-18)\n' }
    if (program === 'vgs')
      return report('vg', { vg_name: 'vg0', vg_size: String(20 * gib), vg_free: String(lvm.free) })
    if (program === 'lvs') return report('lv', { ...named, lv_size: String(lvm.size) })
    if (lvm.refusal !== '') return { code: 5, stderr: lvm.refusal }
    if (!args.includes('--test')) take(lvm, args)
    return {}
  }
  return Object.assign(lvm, { script })
}

const report = (name: string, row: object) => ({ stdout: JSON.stringify({ report: [{ [name]: [row] }] }) })

function take(lvm: Pick<StandInLvm, 'free' | 'size'>, args: readonly string[]): void {
  const size = args[args.indexOf('--') - 1] ?? ''
  const amount = Number(/\d+/.exec(size)?.[0]) * gib
  const more = size === '+100%FREE' ? lvm.free : size.startsWith('+') ? amount : amount - lvm.size
  lvm.free -= more
  lvm.size += more
}
