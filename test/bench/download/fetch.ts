import { get } from 'node:http'

// fetch.ts URL TOKEN: downloads and discards the content; prints the bytes and milliseconds.
const [url = '', token = ''] = process.argv.slice(2)
const startedAt = performance.now()
get(url, { headers: token === '' ? {} : { authorization: `Bearer ${token}` } }, (answer) => {
  let bytes = 0
  answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
  answer.on('end', () =>
    process.stdout.write(
      JSON.stringify({ status: answer.statusCode, bytes, ms: performance.now() - startedAt }),
    ),
  )
})
