/** What became of a message, as the main log of Exim tells. */
export interface Fate {
  readonly outcome: 'delivered' | 'failed' | 'deferred'
  /** Its line of the log, without time and id, after those of failed sign-ins. */
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
  const lines = linesOf(log).flatMap((line) => (line.id === id ? line.text : []))
  const told = lines.flatMap((text) => {
    const outcome = flags[text.slice(0, 2)]
    return outcome === undefined ? [] : { outcome, message: text.slice(3, 1000) }
  })
  const fate = told.find(({ outcome }) => outcome !== 'delivered') ?? told[0]
  if (fate === undefined || fate.outcome === 'delivered') return fate
  // without a sign-in Exim tries to send all the same: the refusal of that does not say why
  const causes = lines.filter((text) => text.includes(' authenticator failed '))
  return { ...fate, message: [...causes, fate.message].join('; ').slice(0, 2000) }
}

const idOf = (log: string, messageId: string) =>
  linesOf(log).find(({ text }) => text.startsWith('<= ') && text.includes(` id=${messageId}`))?.id

const linesOf = (log: string) =>
  log.split('\n').flatMap((line) => {
    const [, id, text] = linePattern.exec(line) ?? []
    return id === undefined || text === undefined ? [] : { id, text }
  })
