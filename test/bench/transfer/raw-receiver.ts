import { createWriteStream, fsyncSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { serveParent } from '../http/server-process.ts'

// raw-receiver.ts FILE: writes what is uploaded to a file with plain streams, and syncs it as the panel does before it answers.
const [file = ''] = process.argv.slice(2)
const server = createServer((request, response) => {
  const descriptor = openSync(file, 'w')
  pipeline(request, createWriteStream(file, { fd: descriptor, autoClose: false })).then(
    () => {
      fsyncSync(descriptor)
      response.writeHead(201).end()
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () =>
  serveParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
)
