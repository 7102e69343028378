const notUsed = () => Promise.reject(new Error('not used'))

/** A server that steps without databases never ask. */
export const noMariadb = {
  seeTables: notUsed,
  unchangedTables: notUsed,
  rehearse: notUsed,
  removeRehearsed: notUsed,
}
