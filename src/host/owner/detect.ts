import { accessSync, constants } from 'node:fs'

/** True if work under the uid of a hosting user is possible here; otherwise the reason. */
export function detectConfinement(): {
  readonly present: boolean
  readonly version: null
  readonly healthy: boolean
  readonly reason: string | null
} {
  const missing = ['/usr/bin/bwrap', '/usr/bin/setpriv', '/usr/bin/prlimit'].find(
    (program) => !isExecutable(program),
  )
  if (missing) return { present: false, version: null, healthy: false, reason: `${missing} is not installed` }
  if (process.getuid?.() !== 0)
    return {
      present: true,
      version: null,
      healthy: false,
      reason: 'the panel does not run as root, so it cannot work under the uid of a hosting user',
    }
  return { present: true, version: null, healthy: true, reason: null }
}

/** Reports if one of the programs is installed; `message` is the reason if none is. */
export function detectOneOf(paths: readonly string[], message: string): ReturnType<typeof detectConfinement> {
  const present = paths.some(isExecutable)
  return { present, version: null, healthy: present, reason: present ? null : message }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
