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
