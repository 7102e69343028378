import { formatBytes } from '../../../web/kit/format.ts'
import type { FieldTexts } from '../../../web/kit/schema-fields.ts'
import type { LimitsOfUsers, UserLimits } from '../model.ts'

const mib = 1024 * 1024

/** The fields of limits in forms. */
export const limitTexts: FieldTexts = {
  websites: { label: 'Websites', hint: 'Empty for no limit' },
  disk_mb: { label: 'Disk in MiB', hint: 'Measured and reported' },
  cpu_percent: { label: 'CPU in percent', hint: '100 is one processor' },
  memory_mb: { label: 'Memory in MiB', hint: 'Of all processes together' },
  tasks: { label: 'Tasks', hint: 'Processes and threads' },
}

/** Limits as a line of text. */
export function limitsText({ websites, disk_mb, cpu_percent, memory_mb, tasks }: UserLimits): string {
  const parts = [
    ...(websites === null ? [] : [`${websites} ${websites === 1 ? 'website' : 'websites'}`]),
    ...(disk_mb === null ? [] : [`${formatBytes(disk_mb * mib)} disk`]),
    ...(cpu_percent === null ? [] : [`${cpu_percent} % CPU`]),
    ...(memory_mb === null ? [] : [`${formatBytes(memory_mb * mib)} memory`]),
    ...(tasks === null ? [] : [`${tasks} tasks`]),
  ]
  return parts.length === 0 ? 'No limits' : parts.join(', ')
}

/** What a user uses, of what they may. */
export function usageRows({ limits, usage }: LimitsOfUsers['users'][number]) {
  const of = (used: string | null, most: string | null) =>
    `${used ?? 'Not measured'}${most === null ? '' : ` of ${most}`}`
  const bytes = (value: number | null) => (value === null ? null : formatBytes(value))
  const mebibytes = (value: number | null) => (value === null ? null : formatBytes(value * mib))
  return [
    ['Websites', of(String(usage.websites), limits.websites === null ? null : String(limits.websites))],
    ['Disk', of(bytes(usage.disk_bytes), mebibytes(limits.disk_mb))],
    ['Memory', of(bytes(usage.memory_bytes), mebibytes(limits.memory_mb))],
    [
      'Tasks',
      of(
        usage.tasks === null ? null : String(usage.tasks),
        limits.tasks === null ? null : String(limits.tasks),
      ),
    ],
    ['CPU', limits.cpu_percent === null ? 'No limit' : `At most ${limits.cpu_percent} % of a processor`],
  ] as const
}
