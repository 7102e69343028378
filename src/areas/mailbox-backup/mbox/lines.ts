import type { MessageRow } from '../archive/rows.ts'

/** A line is read to its end; what is longer is passed on in parts. */
const longLine = 64 * 1024

/** Returns the line that begins a message in a file of the mbox format (RFC 4155): its sender and when it was received, in UTC. */
export function postmarkOf({ from_email, date }: Pick<MessageRow, 'from_email' | 'date'>): string {
  const sender = /^[!-~]+$/.test(from_email) ? from_email : 'MAILER-DAEMON'
  // Sat, 03 Jan 2026 01:05:34 GMT
  const [name = '', day = '', month = '', year = '', time = ''] = new Date(date).toUTCString().split(' ')
  return `From ${sender} ${name.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}\n`
}

/**
 * Passes a message on with line feeds alone, a > before each line that would begin another message, and one line feed
 * at its end (mboxrd).
 */
export async function* unixLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = ''
  let isWithinLine = false
  for await (const chunk of chunks) {
    rest += chunk.toString('latin1')
    // the last character may be the first half of a line break
    const end = rest.lastIndexOf('\n') + 1 || (rest.length > longLine ? rest.length - 1 : 0)
    if (end === 0) continue
    yield quoted(rest.slice(0, end), isWithinLine)
    isWithinLine = rest[end - 1] !== '\n'
    rest = rest.slice(end)
  }
  if (rest !== '') yield quoted(`${rest}\n`, isWithinLine)
}

function quoted(text: string, isWithinLine: boolean): Buffer {
  const starts = isWithinLine ? /\n(?=>*From )/g : /(?:^|\n)(?=>*From )/g
  return Buffer.from(text.replaceAll('\r\n', '\n').replaceAll(starts, '$&>'), 'latin1')
}
