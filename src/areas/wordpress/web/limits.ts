/** How long the browser waits for work that a job carries out. */
export const limitMs = 3_600_000
