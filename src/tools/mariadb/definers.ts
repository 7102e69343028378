import { Transform, type TransformCallback } from 'node:stream'

/**
 * What a definer is preceded by in a dump: a routine, or the comments of a trigger, an event or a view. The name may be
 * quoted by a doubled backtick.
 */
const definer =
  /^((?:\/\*!\d+ (?:CREATE\*\/ \/\*!\d+ )?|CREATE (?:OR REPLACE )?))DEFINER=`(?:[^`]|``)*`(?:@`(?:[^`]|``)*`)?/

/** No definer is longer: 128 characters of a name and 255 of a host, of at most 4 bytes. */
const headBytes = 2048
const newline = 10

/** Removes the definers from a dump that passes through, so that views and routines belong to the account that loads it. */
export function withoutDefiners(): Transform {
  let held: Buffer = Buffer.alloc(0)
  let isInLine = false
  const take = (data: Buffer, isLast: boolean): Buffer => {
    const out: Buffer[] = []
    let at = 0
    while (at < data.length) {
      const end = data.indexOf(newline, at)
      const until = end === -1 ? data.length : end + 1
      if (!isInLine && end === -1 && !isLast && until - at < headBytes) break // the rest of its head is still to come
      const line = data.subarray(at, until)
      out.push(isInLine ? line : withoutDefiner(line))
      isInLine = end === -1
      at = until
    }
    held = data.subarray(at)
    return Buffer.concat(out)
  }
  return new Transform({
    transform: (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) =>
      done(null, take(held.length === 0 ? chunk : Buffer.concat([held, chunk]), false)),
    flush: (done: TransformCallback) => done(null, take(held, true)),
  })
}

function withoutDefiner(line: Buffer): Buffer {
  if (line[0] !== 0x2f && line[0] !== 0x43) return line // neither a comment nor CREATE
  const head = line.subarray(0, headBytes).toString('latin1')
  const found = definer.exec(head)
  if (found === null) return line
  return Buffer.concat([Buffer.from(found[1] ?? '', 'latin1'), line.subarray(found[0].length)])
}
