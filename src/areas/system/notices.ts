import { contribution } from '../../core/point.ts'
import { noticed } from '../notifications/index.ts'
import type { System } from './context.ts'

const fullAbove = 0.9

/** Tells superusers that a disk is almost full. */
export const noticesOfDisks = ({ machine }: Pick<System, 'machine'>) =>
  contribution(noticed, {
    name: 'disks',
    kinds: [{ name: 'disk_full', title: 'A disk is almost full' }],
    after: { seconds: 60 },
    read: async () =>
      (await machine.localDisks())
        .map((disk) => ({ ...disk, share: disk.used_bytes / (disk.used_bytes + disk.available_bytes || 1) }))
        .filter(({ share }) => share > fullAbove)
        .map(({ mount, share, available_bytes: available }) => ({
          kind: 'disk_full',
          key: `disk:${mount}`,
          group: mount,
          lasts: true,
          to: 'superusers',
          title: `The disk ${mount} is ${Math.floor(share * 100)} % full`,
          message: `${Math.floor(available / 1_048_576)} MiB are available. Programs fail when it is full, databases first.`,
          link: '/dashboard',
        })),
  })
