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
