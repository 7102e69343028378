import { getSystemErrorMessage } from 'node:util'

/** Errors of the host, unlike ENOENT or EEXIST, which a caller that expects them handles. */
const ofHost: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOSPC',
  'EROFS',
  'ESTALE',
])

/** Returns why the host could not be read, for example "open /etc/shadow: permission denied"; undefined for any other error. */
export function hostFailureOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error && 'syscall' in error && 'errno' in error))
    return undefined
  if (!ofHost.has(String(error.code)) || typeof error.errno !== 'number') return undefined
  const path = 'path' in error ? ` ${String(error.path)}` : ''
  return `${String(error.syscall)}${path}: ${getSystemErrorMessage(error.errno)}`
}
