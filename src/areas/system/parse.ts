import type { SystemInfo } from './model.ts'

/** The distribution's own name for itself (os-release(5)). */
export function parseOsRelease(text: string): string {
  const pretty = /^PRETTY_NAME=(?:"([^"\n]*)"|'([^'\n]*)'|(\S*))$/m.exec(text)
  return pretty?.[1] ?? pretty?.[2] ?? pretty?.[3] ?? 'Linux'
}

/** The figures of /proc/meminfo (proc(5)), which are in KiB. */
export function parseMemory(text: string): SystemInfo['memory'] {
  const bytesOf = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024
  return {
    total_bytes: bytesOf('MemTotal'),
    available_bytes: bytesOf('MemAvailable'),
    swap_total_bytes: bytesOf('SwapTotal'),
    swap_free_bytes: bytesOf('SwapFree'),
  }
}
