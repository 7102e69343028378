import type { RunResult } from './run.ts'

/** The options of every call of apt-get that changes packages: no prompts, edited configuration files stay. */
export const settings = [
  '-y',
  '-q',
  '--no-install-recommends',
  '-o',
  'DPkg::Lock::Timeout=120',
  '-o',
  'Dpkg::Options::=--force-confdef',
  '-o',
  'Dpkg::Options::=--force-confold',
  '-o',
  'Acquire::Retries=2',
]
/** The limits of a call that may download. */
export const limits = {
  timeoutMs: 20 * 60_000,
  maxBytes: 256 * 1024,
  env: { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'l' },
}

/** The message of a call that failed. */
export function messageOf({ code, stdout, stderr }: RunResult): string {
  return (stderr.trim() || stdout.trim() || `exit status ${code}`).slice(-2000)
}
