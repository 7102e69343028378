/** The secret by which the AI partner knows this release; empty in a build without one. */
export const builtInSecret = ''
