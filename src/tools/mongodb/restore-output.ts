/** mongorestore prints a line for each collection every three seconds, for hours, and what it is read for at the end. */
export const mostOutputBytes = 16 * 1024 * 1024

/** How many documents the server refused: the exit status is 0 all the same. Undefined if the last line is missing. */
export function refusedIn(stderr: string): number | undefined {
  const count = /(\d+) document\(s\) failed to restore\.\s*$/.exec(stderr)?.[1]
  return count === undefined ? undefined : Number(count)
}

/** How many documents were restored, by the last line. */
export const restoredIn = (stderr: string): number =>
  Number(
    /(\d+) document\(s\) restored successfully\. \d+ document\(s\) failed to restore\.\s*$/.exec(
      stderr,
    )?.[1] ?? 0,
  )
