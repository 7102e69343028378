import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { ChecksumWrong } from './problems.ts'

/** The same bytes, but failing at their end where they have another SHA-256: what stores them keeps nothing then. */
export function checked(source: Readable, sha256: string | undefined): Readable {
  if (sha256 === undefined) return source
  const hash = createHash('sha256')
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
    flush: (done) => {
      const isRight = hash.digest('hex') === sha256.toLowerCase()
      done(
        isRight
          ? null
          : ChecksumWrong('sha256: the file that arrived has another checksum; nothing was stored'),
      )
    },
  })
  pipeline(source, counted, () => {}) // the reader of the stream meets the error
  return counted
}
