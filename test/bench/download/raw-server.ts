import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from '../http/server-process.ts'

// raw-server.ts FILE: a plain stream of node:http.
const [file = ''] = process.argv.slice(2)
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': statSync(file).size,
  })
  createReadStream(file).pipe(response)
})
server.listen(0, '127.0.0.1', () =>
  serveParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
)
