import { readFile, readlink } from 'node:fs/promises'

/** Returns the content of a file of /proc, or an empty text if it is missing: ESRCH occurs if the process ended between listing and reading. */
export async function absentAsEmpty(pending: Promise<string>): Promise<string> {
  try {
    return await pending
  } catch (error) {
    if (isAbsent(error)) return ''
    throw error
  }
}

/** Returns true if a file, or the process that it describes, does not exist or is not accessible. */
export function isAbsent(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code))
  )
}

const tickMs = 10 // USER_HZ is 100 on every Linux that Node runs on

/** Returns the path of the program of a process, ` (deleted)` after it if the file was replaced; empty without such a process. */
export const processProgram = (pid: number): Promise<string> => absentAsEmpty(readlink(`/proc/${pid}/exe`))

/** Returns when a process was started, in milliseconds since 1970; undefined if there is no such process. */
export async function processStart(pid: number): Promise<number | undefined> {
  const [ticks, uptime] = await Promise.all([processStartTicks(pid), readFile('/proc/uptime', 'utf8')])
  return ticks === undefined ? undefined : Date.now() - Number.parseFloat(uptime) * 1000 + ticks * tickMs
}

/**
 * Returns the start of a process as the kernel counts it: from boot, in hundredths of a second. The process name in brackets may contain
 * anything, including brackets.
 */
export async function processStartTicks(pid: number): Promise<number | undefined> {
  const status = await absentAsEmpty(readFile(`/proc/${pid}/stat`, 'utf8'))
  return status === '' ? undefined : Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[19])
}
