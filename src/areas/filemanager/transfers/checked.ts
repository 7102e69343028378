import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { ChecksumWrong } from './problems.ts'

/** Passes the bytes through and fails at their end if the SHA-256 does not match, so that the writer keeps nothing. */
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
          : ChecksumWrong('sha256: the received file does not match the checksum; nothing was stored'),
      )
    },
  })
  pipeline(source, counted, () => {}) // the reader of the stream gets the error
  return counted
}
