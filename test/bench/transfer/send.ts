import { request } from 'node:http'
import { Readable } from 'node:stream'

// send.ts URL TOKEN MEGABYTES: uploads so many megabytes of text; prints the status, and how many milliseconds it took.
const [url = '', token = '', megabytes = ''] = process.argv.slice(2)
const block = Buffer.alloc(64 * 1024, 'a line of what is uploaded ')
const startedAt = performance.now()
const sending = request(url, {
  method: 'POST',
  headers: {
    'content-type': 'application/octet-stream',
    'content-length': Number(megabytes) * 1024 * 1024,
    ...(token !== '' && { authorization: `Bearer ${token}` }),
  },
})
sending.on('response', (answer) => {
  answer.resume()
  answer.on('end', () =>
    process.stdout.write(JSON.stringify({ status: answer.statusCode, ms: performance.now() - startedAt })),
  )
})
Readable.from(Array.from({ length: Number(megabytes) * 16 }, () => block)).pipe(sending)
