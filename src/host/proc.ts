/** What a file of /proc says, or nothing: ESRCH comes where the process ended between being listed and being read. */
export async function absentAsEmpty(pending: Promise<string>): Promise<string> {
  try {
    return await pending
  } catch (error) {
    if (isAbsent(error)) return ''
    throw error
  }
}

/** Whether a file, or the process that it tells of, is not there, or not ours to read. */
export function isAbsent(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code))
  )
}
