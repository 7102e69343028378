const mostHeaderBytes = 1024 * 1024

/** Returns the Message-ID of a message, by which a mailbox shows that it has it; undefined without one. */
export function messageIdOf(mime: Uint8Array): string | undefined {
  const head = Buffer.from(mime.subarray(0, mostHeaderBytes)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length
  const [, found] = /^message-id:\s*(<[^<>\r\n]{1,995}>)/im.exec(head.slice(0, end)) ?? []
  return found
}
