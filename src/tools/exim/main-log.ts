/** What became of a message, as the main log of Exim tells. */
export interface Fate {
  readonly outcome: 'delivered' | 'failed' | 'deferred'
  /** The line of the log, without its time and the id of the message. */
  readonly message: string
}

const linePattern = /^\d{4}-\d\d-\d\d \S+(?: [+-]\d{4})?(?: \[\d+\])? (\w{6}-\w+-\w+) (.*)$/
const flags: Readonly<Record<string, Fate['outcome']>> = {
  '=>': 'delivered',
  '->': 'delivered',
  '**': 'failed',
  '==': 'deferred',
}

/** Returns true if the log tells that a message with this Message-ID was received. */
export const wasReceived = (log: string, messageId: string): boolean => idOf(log, messageId) !== undefined

/** Finds what became of the message with this Message-ID; undefined while the log does not tell. */
export function findFate(log: string, messageId: string): Fate | undefined {
  const id = idOf(log, messageId)
  const told = linesOf(log).flatMap((line) => {
    const outcome = line.id === id ? flags[line.text.slice(0, 2)] : undefined
    return outcome === undefined ? [] : { outcome, message: line.text.slice(3, 1000) }
  })
  return told.find(({ outcome }) => outcome !== 'delivered') ?? told[0]
}

const idOf = (log: string, messageId: string) =>
  linesOf(log).find(({ text }) => text.startsWith('<= ') && text.includes(` id=${messageId}`))?.id

const linesOf = (log: string) =>
  log.split('\n').flatMap((line) => {
    const [, id, text] = linePattern.exec(line) ?? []
    return id === undefined || text === undefined ? [] : { id, text }
  })
